import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findContainer } from '../../../src/audio/containers.ts';
import { declaredSeconds } from '../../../src/audio/length.ts';
import { Failure } from '../../../src/base/errors.ts';
import { packageRoot } from '../../../src/base/paths.ts';

const SOUNDS = join(packageRoot, 'test/fixtures/sounds');
const HEADER_BYTES = 600;

test.each(readdirSync(SOUNDS))('%s is measured or refused wherever its header ends', async (name) => {
  const whole = readFileSync(join(SOUNDS, name));
  const odd: string[] = [];
  for (let end = 1; end < HEADER_BYTES; end++) {
    const cut = whole.subarray(0, end);
    const read = (at: number, length: number) => Promise.resolve(cut.subarray(at, at + length));
    try {
      await declaredSeconds({ size: end, read }, findContainer(cut));
    } catch (error) {
      if (!(error instanceof Failure)) odd.push(`after ${end} bytes: ${String(error)}`);
    }
  }
  expect(odd).toEqual([]);
});
