import { inflateSync } from 'node:zlib';
import { failed, passed, type Step, type Subject } from '../step.ts';

const PROMPTS = ['a red house', 'a green forest', 'a blue boat', 'a yellow lamp', 'a white horse'];
const SIDE = 256;
const HEADER_BYTES = 8;
/** Of a PNG chunk besides its data. */
const CHUNK_BYTES = 12;
/** Four channels, the kind of filter, and zero. */
const VALUES_OF_ONE_COLOUR = 6;

/** One image by default: each takes seconds to minutes. */
export const images: Step = {
  name: 'images',
  applies: ({ runner, manifest }) => runner.draw !== undefined && manifest.engine !== 'upstream',
  async run(subject, signal) {
    const drawn: Buffer[] = [];
    for (const [index, prompt] of (subject.isFull ? PROMPTS : PROMPTS.slice(0, 1)).entries()) {
      const picture = await draw(subject, { prompt, seed: index + 1 }, signal);
      const isFull = hasContent(picture);
      if (isFull === undefined) return failed('an image is not a PNG');
      if (!isFull) return failed(`an image has one colour: ${JSON.stringify(prompt)}`);
      drawn.push(picture);
    }
    if (drawn.some((picture, index) => index > 0 && picture.equals(drawn[0] as Buffer))) {
      return failed('different prompts and seeds give the same image');
    }
    return passed(`images were generated and have content: ${drawn.length}`);
  },
};

type Drawing = { prompt: string; seed: number };

function draw(subject: Subject, drawing: Drawing, signal: AbortSignal): Promise<Buffer> {
  return subject.withSlot(async ({ draw: run }) => {
    const steps = subject.isFull ? undefined : Math.min(2, subject.manifest.drawing?.steps ?? 2);
    const size = { width: SIDE, height: SIDE };
    const request = { ...drawing, ...size, ...(steps && { steps }), format: 'png' as const, drafts: 0 };
    for await (const event of run?.(request, signal) ?? []) {
      if (event.type === 'picture') return Buffer.from(event.picture);
    }
    signal.throwIfAborted();
    throw new Error('No image came');
  }, signal);
}

/** Whether the pixels of a PNG have more than one colour; undefined for anything else. */
function hasContent(png: Buffer): boolean | undefined {
  if (png.toString('latin1', 1, 4) !== 'PNG') return undefined;
  const parts: Buffer[] = [];
  for (let at = HEADER_BYTES; at + CHUNK_BYTES <= png.length;) {
    const length = png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + length));
    at += CHUNK_BYTES + length;
  }
  return new Set(inflateSync(Buffer.concat(parts))).size > VALUES_OF_ONE_COLOUR;
}
