import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../../src/base/paths.ts';
import { openSound } from '../../../models/audio/sound-file.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const RATE_AT = 24;

test.each([0, 1, 0xffff_ffff])('a WAV file of %i samples a second is damaged audio', async (rate) => {
  const file = readFileSync(join(packageRoot, 'test/fixtures/sounds/telephone.wav'));
  file.writeUInt32LE(rate, RATE_AT);
  const path = join(temporaryFolder(), 'sound.wav');
  writeFileSync(path, file);
  await expect(readAll(path)).rejects.toMatchObject({ code: 'invalid_audio' });
});

async function readAll(path: string): Promise<void> {
  const { signal } = new AbortController();
  const { blocks } = await openSound({ path, rate: 16_000, secondsMax: 60, signal });
  for await (const block of blocks()) void block;
}
