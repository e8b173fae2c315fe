import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeSafetensors } from '../../../../scripts/fixtures/formats/safetensors.ts';
import { safetensorsFault } from '../../../../src/library/formats/safetensors-header.ts';
import { importFile } from '../../../../src/library/import.ts';
import { temporaryFolder } from '../../../helpers/temporary.ts';

const WEIGHTS = Buffer.alloc(16);
const tensor = { dtype: 'F32', shape: [2, 2], data_offsets: [0, 16] };

test('a whole file has no fault', async () => {
  const path = join(temporaryFolder(), 'model.safetensors');
  await writeSafetensors(path, { a: { shape: [4, 4] }, b: { shape: [] } });
  expect(safetensorsFault(path)).toBeUndefined();
});

test.each([
  ['its header has what others wrote', { __metadata__: { format: 'pt' }, a: tensor }],
  ['it has no weights', {}],
  ['a tensor is empty', { a: tensor, b: { dtype: 'F32', shape: [0, 7], data_offsets: [16, 16] } }],
  ['a type is newer than this reader', { a: { ...tensor, dtype: 'F4' } }],
])('nothing is wrong with a file when %s', (_, header) => {
  expect(faultOf(header)).toBeUndefined();
});

test.each([
  ['lacks a valid dtype', { ...tensor, dtype: 7 }],
  ['lacks a valid dtype, shape', { ...tensor, shape: [2, -2] }],
  ['lacks a valid dtype, shape', { ...tensor, shape: [2, 2.5] }],
  ['lacks a valid dtype, shape or data_offsets', { ...tensor, data_offsets: [0] }],
  ['lacks a valid dtype, shape or data_offsets', { ...tensor, data_offsets: [0, 2 ** 53] }],
  ['lacks', null],
  ['lacks', 'text'],
  ['ends before it begins', { ...tensor, data_offsets: [16, 0] }],
  ['ends at byte 20 of the weights, but there are only 16', { ...tensor, data_offsets: [4, 20] }],
  ['has 16 bytes, but its dtype and shape need 24', { ...tensor, shape: [2, 3] }],
  ['has 16 bytes, but its dtype and shape need 8', { ...tensor, dtype: 'F16' }],
])('a tensor that %s is a fault', (fault, wrong) => {
  expect(faultOf({ fine: tensor, wrong })).toContain(`its tensor "wrong" ${fault}`);
});

test.each([
  ['too short', Buffer.alloc(7)],
  ['ends inside its header', Buffer.alloc(64, 0xff)],
  ['not a JSON object', fileOf('[]')],
  ['not a JSON object', fileOf('null')],
  ['not a JSON object', fileOf('{"a":')],
  ['not a JSON object', Buffer.alloc(8)],
])('a file is %s', (fault, content) => {
  expect(faultIn(content)).toContain(fault);
});

test('a header of more than 16 MiB is not read', () => {
  const path = join(temporaryFolder(), 'model.safetensors');
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(2n ** 25n);
  writeFileSync(path, length);
  truncateSync(path, 2 ** 26);
  expect(safetensorsFault(path)).toContain('its header has 33554432 bytes, and the limit is 16777216');
});

test('an image model whose download ended early is refused when it is imported', async () => {
  const folder = join(temporaryFolder(), 'painter');
  mkdirSync(folder);
  const notes = { files: { model: 'm.safetensors' }, drawing: { side: 64, steps: 1, guidance: 1 } };
  writeFileSync(join(folder, 'askd.json'), JSON.stringify(notes));
  const path = join(folder, 'm.safetensors');
  await writeSafetensors(path, { a: { shape: [4, 4] } });
  const importIt = () => importFile({ id: 'p', path: folder, mode: 'link', modelsFolder: folder });
  expect(await importIt()).toMatchObject({ engine: 'diffusion', path });
  truncateSync(path, 100);
  await expect(importIt()).rejects.toThrow(
    /its file for "model", "m\.safetensors", is damaged: its tensor "a"/,
  );
});

function faultOf(header: object): string | undefined {
  return faultIn(fileOf(JSON.stringify(header)));
}

function faultIn(content: Buffer): string | undefined {
  const path = join(temporaryFolder(), 'model.safetensors');
  writeFileSync(path, content);
  return safetensorsFault(path);
}

function fileOf(header: string): Buffer {
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(header.length));
  return Buffer.concat([length, Buffer.from(header), WEIGHTS]);
}
