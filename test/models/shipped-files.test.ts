import { createHash } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkShipped } from '../../models/shipped-files.ts';
import type { ModelManifest } from '../../src/runtime/manifest.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

test('the shipped models are loaded only if each file is the one that was packed', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'weights.bin');
  writeFileSync(file, 'weights');
  const files = { 'weights.bin': createHash('sha256').update('weights').digest('hex') };
  const manifest = { card: { facts: {}, files, folder } } as unknown as ModelManifest;
  await expect(checkShipped(manifest)).resolves.toBeUndefined();
  for (const damage of [() => writeFileSync(file, 'weightz'), () => rmSync(file)]) {
    damage();
    await expect(checkShipped(manifest)).rejects.toMatchObject({
      code: 'invalid_model_file',
      message: expect.stringMatching(/weights\.bin was modified after installation\. Reinstall askd/),
    });
  }
});
