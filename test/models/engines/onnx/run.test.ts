import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as library from '@huggingface/transformers';
import { expect, test } from 'vitest';
import { onnx } from '../../../../models/engines/onnx.ts';
import { runTokens } from '../../../../models/engines/onnx/run.ts';
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

test('shorter texts are padded to the longest, and the padding is masked', async () => {
  const rows: Record<string, unknown> = {};
  const model = (inputs: Record<string, library.Tensor>) => {
    for (const [name, tensor] of Object.entries(inputs)) rows[name] = tensor.tolist();
    return Promise.resolve({});
  };
  const texts = [[7, 8, 9], [7], [8, 9]];
  await runTokens(library, { model, texts, types: [[0, 1, 1], [0], [1, 1]], padding: 5 });
  expect(rows).toEqual({
    input_ids: [
      [7n, 8n, 9n],
      [7n, 5n, 5n],
      [8n, 9n, 5n],
    ],
    attention_mask: [
      [1n, 1n, 1n],
      [1n, 0n, 0n],
      [1n, 1n, 0n],
    ],
    token_type_ids: [
      [0n, 1n, 1n],
      [0n, 0n, 0n],
      [1n, 1n, 0n],
    ],
  });
});
