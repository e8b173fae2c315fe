import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { onnx } from '../../../../models/engines/onnx.ts';
import { tokensOf } from '../../../../models/engines/onnx/tokens.ts';
import { writeWordOnnxEmbedder } from '../../../../scripts/fixtures/word-onnx.ts';
import { temporaryFolder } from '../../../helpers/temporary.ts';
import { embed, openEncoder } from '../../encoder-contract.ts';

test.each([
  ['is an object', {}],
  ['is a word', 'two'],
  ['is no whole number', 1.5],
  ['is less than 0', -1],
])('a text with a token that %s is refused, and others are not', async (_, id) => {
  await using session = await openWith((tokenizer) => {
    const added = tokenizer.added_tokens.find(({ content }) => content === '<pad>');
    Object.assign(added ?? {}, { id });
  });
  expect(await embed(session, ['one two'])).toHaveLength(1);
  await expect(embed(session, ['one <pad>'])).rejects.toMatchObject({ code: 'invalid_model_file' });
});

test('a text that the tokenizer cannot read is refused', async () => {
  await using session = await openWith((tokenizer) => {
    Object.assign(tokenizer.pre_tokenizer, { replacement: 'a'.repeat(100_000) });
  });
  await expect(embed(session, ['one two one'])).rejects.toMatchObject({
    code: 'invalid_model_file',
    message: expect.stringContaining('tokenizer') as string,
  });
});

test('a text that fits a usual context is read as one', async () => {
  const path = join(temporaryFolder(), 'model');
  await writeWordOnnxEmbedder(path, { words: ['one', 'two'] });
  const { AutoTokenizer } = await import('@huggingface/transformers');
  const tokenizer = await AutoTokenizer.from_pretrained(path, { local_files_only: true });
  const text = `one ${'a'.repeat(15_000)}two${'b'.repeat(15_000)} two`;
  expect(tokensOf(tokenizer, text)).toEqual(tokenizer.encode(text, { add_special_tokens: false }));
});

type Tokenizer = { added_tokens: { content: string; id: unknown }[]; pre_tokenizer: object };

async function openWith(change: (tokenizer: Tokenizer) => void) {
  const path = join(temporaryFolder(), 'model');
  await writeWordOnnxEmbedder(path, { words: ['one', 'two'] });
  const file = join(path, 'tokenizer.json');
  const tokenizer = JSON.parse(readFileSync(file, 'utf8')) as Tokenizer;
  change(tokenizer);
  writeFileSync(file, JSON.stringify(tokenizer));
  return openEncoder(onnx, { path, tasks: ['embed'] });
}
