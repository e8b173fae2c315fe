import { writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import {
  IMAGE_SEED_MAX,
  IMAGE_SIZES,
  IMAGE_STEPS_MAX,
  type ImageSize,
} from '../../../src/api/account/limits.ts';
import { Failure } from '../../../src/base/errors.ts';
import { integerBetween } from '../../command-line/arguments.ts';
import { command } from '../../command.ts';
import type { Context } from '../../context.ts';
import { formatBytes } from '../../output/format.ts';

type ImageOptions = {
  model: string;
  size: ImageSize;
  seed?: number;
  steps?: number;
  negative?: string;
  out?: string;
  open?: boolean;
};

const EXAMPLE = 'askd image "a red fox in the snow"';

export const image = command<ImageOptions>({
  name: 'image',
  group: 'Text:',
  summary: 'generate an image from a prompt',
  details:
    'The image is saved in the current folder, named after the prompt and the seed, and shown if the terminal can ' +
    '(kitty, Ghostty, iTerm2, WezTerm, foot, or what chat_images names). The same seed gives the same image.',
  examples: [
    EXAMPLE,
    'askd image "a harbour at dawn" --size 1792x1024 --out harbour.webp',
    'askd image "a teapot" --seed 7 --steps 8 --open',
    'askd image "a map of an island" --out - > island.png',
  ],
  configure(commander) {
    commander
      .argument('[text...]', 'the prompt; - reads it from stdin')
      .option('-m, --model <id>', 'the model', 'svc-image-v1')
      .addOption(
        commander
          .createOption('--size <size>', 'in pixels')
          .choices([...IMAGE_SIZES])
          .default(IMAGE_SIZES[0]),
      )
      .option(
        '--seed <number>',
        'random seed (default: a new one each time)',
        integerBetween(0, IMAGE_SEED_MAX),
      )
      .option(
        '--steps <count>',
        'inference steps; more take longer (default: set by the model)',
        integerBetween(1, IMAGE_STEPS_MAX),
      )
      .option('--negative <text>', 'what the image should not show')
      .option('-o, --out <path>', 'a file (.png, .jpg, .webp), a folder, or - for stdout')
      .option('--open', 'open it in the default image viewer');
  },
  async run(context, { args, options }) {
    const [{ readWholeText }, { createProgress }, { readPicture }, { pictureTarget }] = await Promise.all([
      import('../../tasks/text/inputs.ts'),
      import('../../tasks/text/progress.ts'),
      import('../../tasks/image/draw.ts'),
      import('../../tasks/image/target.ts'),
    ]);
    const prompt = (await readWholeText(context, args, undefined)).trim();
    if (prompt === '') {
      throw new Failure('missing_required_parameter', 'There is no prompt.', {
        details: { fix: EXAMPLE },
      });
    }
    const target = pictureTarget(options.out, { prompt, cwd: process.cwd() });
    const { model, size, seed, steps, negative } = options;
    const client = await context.connect('inference');
    const events = client.imageEvents({
      ...{ model, prompt, size, output_format: target.format },
      ...(seed !== undefined && { seed }),
      ...(steps !== undefined && { steps }),
      ...(negative !== undefined && { negative_prompt: negative }),
    });
    const drawn = await readPicture(events, createProgress(context, { what: 'generating: step ' }));
    const picture = Buffer.from(drawn.b64_json ?? '', 'base64');
    const path = target.pathFor(drawn.seed);
    if (path === undefined) return void context.io.stdout.write(picture);
    await save(picture, path);
    const { showPicture } = await import('../../tasks/image/preview.ts');
    await showPicture(context, picture);
    context.output.result(
      {
        schema: 'image/1',
        path,
        model,
        seed: drawn.seed,
        size,
        format: target.format,
        bytes: picture.length,
      },
      () => `${path}  ${size}, seed ${drawn.seed}, ${formatBytes(picture.length)}`,
    );
    if (options.open) await openPicture(path, context);
  },
});

async function save(picture: Buffer, path: string): Promise<void> {
  try {
    await writeFile(path, picture);
  } catch (cause) {
    const message = `The image cannot be written to ${path}: ${(cause as Error).message}.`;
    throw new Failure('invalid_value', message, { cause });
  }
}

async function openPicture(path: string, { environment, output }: Context): Promise<void> {
  const { openInBrowser } = await import('../../prompt/browser.ts');
  const isOpen = environment.hasScreen && (await openInBrowser(pathToFileURL(path).href, environment));
  if (!isOpen) output.talk(`There is no image viewer to open it with. It is in ${path}`);
}
