import type { CompletedImage, ImageEvent } from '../../../src/api/tasks/images.ts';
import { Failure } from '../../../src/base/errors.ts';
import type { Progress } from '../text/progress.ts';

/** The image at the end of a stream. */
export async function readPicture(
  events: AsyncIterable<ImageEvent>,
  progress: Progress,
): Promise<CompletedImage> {
  try {
    for await (const event of events) {
      if (event.type === 'image_generation.progress') progress.show(event.step, event.steps);
      if (event.type === 'image_generation.completed') return event;
    }
  } finally {
    progress.end();
  }
  throw new Failure('daemon_unreachable', 'The connection closed before the image was complete.', {
    details: { fix: 'try again; askd logs shows the reason' },
  });
}
