import type { RerankEvent, RerankResult } from '../../../src/api/tasks/rerank.ts';
import { Failure } from '../../../src/base/errors.ts';
import type { Progress } from './progress.ts';

/** The result of a streamed rerank. */
export async function readRanking(
  events: AsyncIterable<RerankEvent>,
  progress: Progress,
): Promise<RerankResult> {
  try {
    for await (const event of events) {
      if ('results' in event) return event;
      progress.show(event.progress.scored, event.progress.total);
    }
  } finally {
    progress.end();
  }
  throw new Failure('daemon_unreachable', 'The connection closed before all documents were compared.', {
    details: { fix: 'try again; askd logs shows the reason' },
  });
}
