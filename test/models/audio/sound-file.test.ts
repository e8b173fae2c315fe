import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../../src/base/paths.ts';
import { openSound } from '../../../models/audio/sound-file.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

/** Of a file whose fmt chunk comes first. */
const AT = { channels: 22, rate: 24, data: 36 };
/** Behind its fact chunk. */
const SOUND_AT = 50;
const ADPCM = 0x11;
const telephone = () => readFileSync(join(packageRoot, 'test/fixtures/sounds/telephone.wav'));
const tone = () => readFileSync(join(packageRoot, 'test/fixtures/sounds/tone.wav'));

test.each([0, 1, 0xffff_ffff])('a WAV file of %i samples a second is damaged audio', async (rate) => {
  const file = telephone();
  file.writeUInt32LE(rate, AT.rate);
  await expect(samplesIn(file)).rejects.toMatchObject({ code: 'invalid_audio' });
});

test('a WAV file is refused before its few bytes become many channels', async () => {
  const file = telephone();
  file.writeUInt16LE(1000, AT.channels);
  await expect(samplesIn(file)).rejects.toThrow('1000 channels in blocks of 1 bytes');
  file.writeUInt16LE(0, AT.channels);
  await expect(samplesIn(file)).rejects.toThrow('0 channels');
});

test('a WAV file is refused before its small blocks become many samples', async () => {
  const format = Buffer.alloc(20);
  for (const [index, value] of [ADPCM, 1, 8000, 0, 4000, 0, 4, 4, 2, 9].entries())
    format.writeUInt16LE(value, 2 * index);
  const before = Buffer.from('RIFF\0\0\0\0WAVEfmt \u0014\0\0\0', 'latin1');
  const sound = telephone().subarray(SOUND_AT);
  await expect(samplesIn(Buffer.concat([before, format, sound]))).rejects.toThrow(
    '1 channels in blocks of 4 bytes',
  );
});

test('a WAV file with a chunk of odd length before its sound is decoded like the same without', async () => {
  const file = tone();
  const title = Buffer.from('LIST\u0005\0\0\0INFOx\0', 'latin1');
  const withTitle = Buffer.concat([file.subarray(0, AT.data), title, file.subarray(AT.data)]);
  expect(await samplesIn(withTitle)).toBe(await samplesIn(file));
});

test('what follows the sound of a WAV file is not part of it', async () => {
  const file = tone();
  const name = Buffer.from('LIST\u0004\0\0\0INFO', 'latin1');
  expect(await samplesIn(Buffer.concat([file, name]))).toBe(await samplesIn(file));
});

async function samplesIn(file: Buffer): Promise<number> {
  const path = join(temporaryFolder(), 'sound.wav');
  writeFileSync(path, file);
  const { signal } = new AbortController();
  const { blocks } = await openSound({ path, rate: 16_000, secondsMax: 60, signal });
  let samples = 0;
  for await (const block of blocks()) samples += block.length;
  return samples;
}
