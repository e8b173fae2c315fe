import {
  chmodSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { packFiles } from '../../../../../src/library/archive/package/pack.ts';
import { temporaryFolder } from '../../../../helpers/temporary.ts';

const LONG = `${'folder/'.repeat(40)}file.js`;

function pack(folder: string, paths: readonly string[], target: string, onBytes = () => undefined as void) {
  const files = paths.map((path) => ({ path, absolute: join(folder, path) }));
  return packFiles(files, target, { signal: new AbortController().signal, onBytes });
}

test('tar unpacks programs, links, long paths and empty files unchanged', async () => {
  const folder = temporaryFolder();
  const target = join(folder, 'packed.tgz');
  for (const [path, text] of Object.entries({ 'run.sh': '#!/bin/sh\n', empty: '', [LONG]: 'deep' })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  chmodSync(join(folder, 'run.sh'), 0o700);
  symlinkSync('run.sh', join(folder, 'link'));
  const paths = ['run.sh', 'empty', 'link', LONG];
  const packed = await pack(folder, paths, target);
  const unpacked = join(folder, 'unpacked');
  mkdirSync(unpacked);
  await execa('tar', ['-xzf', target, '-C', unpacked]);
  expect(statSync(join(unpacked, 'run.sh')).mode & 0o111).toBe(0o111);
  expect(statSync(join(unpacked, 'empty')).size).toBe(0);
  expect(readlinkSync(join(unpacked, 'link'))).toBe('run.sh');
  expect(readFileSync(join(unpacked, LONG), 'utf8')).toBe('deep');
  expect(await pack(folder, paths, join(folder, 'again.tgz'))).toEqual(packed);
});

test('a file that changes or disappears while it is packed is named', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'here'), 'here');
  const target = join(folder, 'packed.tgz');
  await expect(pack(folder, ['here', 'lost'], target)).rejects.toMatchObject({
    code: 'install_incomplete',
    message: expect.stringContaining('lost changed while it was packed.'),
  });
  writeFileSync(join(folder, 'big'), Buffer.alloc(3_000_000));
  const shorten = () => writeFileSync(join(folder, 'big'), Buffer.alloc(1));
  await expect(pack(folder, ['big'], target, shorten)).rejects.toMatchObject({ code: 'install_incomplete' });
});
