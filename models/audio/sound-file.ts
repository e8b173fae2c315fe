import { damagedAudio, findContainer, HEAD_BYTES } from '../../src/audio/containers.ts';
import { withFile } from '../../src/audio/file-bytes.ts';
import { declaredSeconds, tooLong } from '../../src/audio/length.ts';
import { decodeFile } from './decode.ts';

export type SoundOptions = { path: string; rate: number; secondsMax: number; signal: AbortSignal };

/** `blocks` decodes while it is read. */
export type SoundFile = { seconds: number; blocks: () => AsyncGenerator<Float32Array> };

/** The duration may differ a little from the declared one: encoders count their own padding, and round. */
const SHORTER = { seconds: 0.25, share: 0.01 };
const LONGER = { seconds: 1, share: 0.03 };

/** Opens an audio file whose duration is verified before any work starts. */
export async function openSound({ path, rate, secondsMax, signal }: SoundOptions): Promise<SoundFile> {
  const { container, declared } = await withFile(path, async (file) => {
    const found = findContainer(await file.read(0, HEAD_BYTES));
    return { container: found, declared: await declaredSeconds(file, found) };
  });
  if ((declared ?? 0) > secondsMax) throw tooLong(secondsMax, declared);

  async function* blocks(): AsyncGenerator<Float32Array> {
    let samples = 0;
    for await (const block of decodeFile({ path, container, rate, signal })) {
      samples += block.length;
      if (samples / rate > secondsMax) throw tooLong(secondsMax);
      checkNotLonger(samples / rate, declared);
      yield block;
    }
    if (samples === 0) throw damagedAudio('contains no audio that can be decoded');
    checkNotShorter(samples / rate, declared);
  }

  return { seconds: declared ?? (await count(blocks(), rate)), blocks };
}

/** Without a declared duration, only decoding tells. */
async function count(blocks: AsyncIterable<Float32Array>, rate: number): Promise<number> {
  let samples = 0;
  for await (const block of blocks) samples += block.length;
  return samples / rate;
}

function checkNotShorter(seconds: number, declared = 0): void {
  if (seconds >= declared - slack(declared, SHORTER)) return;
  const length = `${declared.toFixed(1)} s long`;
  throw damagedAudio(`is truncated or damaged: it declares ${length} and ends after ${seconds.toFixed(1)} s`);
}

function checkNotLonger(seconds: number, declared = Infinity): void {
  if (seconds <= declared + slack(declared, LONGER)) return;
  throw damagedAudio(`is damaged: it declares ${declared.toFixed(1)} s and is longer`);
}

function slack(seconds: number, least: typeof SHORTER): number {
  return Math.max(least.seconds, seconds * least.share);
}
