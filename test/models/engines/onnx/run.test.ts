import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { onnx } from '../../../../models/engines/onnx.ts';
import { writeWordOnnxEmbedder } from '../../../../scripts/fixtures/word-onnx.ts';
import { importFile } from '../../../../src/library/import.ts';
import { temporaryFolder } from '../../../helpers/temporary.ts';

test('a graph with inputs that no text provides is refused when it is loaded', async () => {
  const modelsFolder = temporaryFolder();
  const path = join(modelsFolder, 'model');
  await writeWordOnnxEmbedder(path, { words: ['one', 'two'] });
  const file = join(path, 'onnx', 'model.onnx');
  writeFileSync(file, readFileSync(file, 'latin1').replace('attention_mask', 'attention_musk'), 'latin1');
  const manifest = await importFile({ id: 'm', path, mode: 'link', modelsFolder });
  const { signal } = new AbortController();
  await expect(
    onnx.load(manifest, { slots: 1, contextTokens: 64, threads: 1 }, signal),
  ).rejects.toMatchObject({
    code: 'invalid_model_file',
    message: expect.stringContaining('attention_musk') as string,
  });
});
