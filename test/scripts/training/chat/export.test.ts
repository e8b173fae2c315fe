import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTokenizer, learnMerges } from '../../../../scripts/training/chat/bpe.ts';
import { texts } from '../../../../scripts/training/chat/corpus.ts';
import { exportModel } from '../../../../scripts/training/chat/export.ts';
import { RECIPES } from '../../../../scripts/training/chat/models.ts';
import { CHAT_TEMPLATE, CONTROL_TOKENS } from '../../../../scripts/training/chat/template.ts';
import { createRandom } from '../../../../src/gguf/random.ts';
import { openModel } from '../../fixtures/llama.ts';

const [WIDTH, FEED_FORWARD] = [32, 64];
const textsOf = (perWeight: number) => texts(RECIPES.chat, perWeight);
const merges = learnMerges(textsOf(2), 300);
const tokenizer = createTokenizer(merges);
let folder: string;
let file: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'askd-export-'));
  const weights = path.join(folder, 'weights.safetensors');
  await writeFile(weights, untrained(tokenizer.names.length));
  file = path.join(folder, 'tiny.gguf');
  await exportModel({ weights, merges, file, name: 'tiny', template: CHAT_TEMPLATE });
});
afterAll(() => rm(folder, { recursive: true }));

test('the engine loads what was exported, with its template and its context', async () => {
  await using llama = await openModel(file);
  const { metadata } = llama.model.fileInfo;
  expect(metadata.tokenizer?.chat_template).toBe(CHAT_TEMPLATE);
  expect(metadata.tokenizer?.ggml?.tokens).toEqual(tokenizer.names);
  expect(llama.model.trainContextSize).toBe(2048);
  expect(llama.model.tokens.eos).toBe(256 + CONTROL_TOKENS.indexOf('<|im_end|>'));
});

test('the engine splits any text into exactly the tokens that the model was trained on', async () => {
  await using llama = await openModel(file);
  const agrees = (text: string) => {
    expect([...llama.model.tokenize(text, true)]).toEqual(tokenizer.encode(text));
  };
  for (const text of [...textsOf(0.5), ...texts(RECIPES.words, 5)]) agrees(text);
  agrees(
    "Ünïcödé ß — “quotes” …\n\n\tTab  two   spaces\r\nCRLF \u00a0 日本語 🎉👩‍👩‍👧 don't WE'LL 12345 1,234.5 x²",
  );
  agrees('<|user|>Hello there<|im_end|><|assistant|>');
  fc.assert(fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), agrees), { numRuns: 200 });
  fc.assert(fc.property(fc.string({ unit: fc.constantFrom(..." \n\r\tab1.'sS-é") }), agrees), {
    numRuns: 300,
  });
});

test('learned merges make texts shorter, and nothing is lost', () => {
  const text = 'How do I create an api key?';
  const tokens = tokenizer.encode(text);
  expect(tokens.length).toBeLessThan(text.length / 1.4);
  expect(tokens.map((token) => tokenizer.names[token]).join('')).toBe(text.replaceAll(' ', 'Ġ'));
});

test('a word has the same tokens after a space, after a quotation mark and at the beginning', () => {
  const word = tokenizer.encode('create');
  for (const before of [' ', '"', '`', '(']) {
    const tokens = tokenizer.encode(`${before}create`);
    expect([before, tokens]).toEqual([before, [...tokenizer.encode(before), ...word]]);
  }
});

test('the same texts teach the same merges', () => {
  expect(learnMerges(textsOf(0.5), 50)).toEqual(learnMerges(textsOf(0.5), 50));
});

/** What train.py saves, of one layer and without any training. */
function untrained(vocabulary: number): Buffer {
  const random = createRandom(3);
  const shapes: Record<string, number[]> = {
    'token_embd.weight': [vocabulary, WIDTH],
    'blk.0.attn_norm.weight': [WIDTH],
    'blk.0.attn_q.weight': [WIDTH, WIDTH],
    'blk.0.attn_k.weight': [WIDTH, WIDTH],
    'blk.0.attn_v.weight': [WIDTH, WIDTH],
    'blk.0.attn_output.weight': [WIDTH, WIDTH],
    'blk.0.ffn_norm.weight': [WIDTH],
    'blk.0.ffn_gate.weight': [FEED_FORWARD, WIDTH],
    'blk.0.ffn_up.weight': [FEED_FORWARD, WIDTH],
    'blk.0.ffn_down.weight': [WIDTH, FEED_FORWARD],
    'output_norm.weight': [WIDTH],
  };
  let offset = 0;
  const parts: Buffer[] = [];
  const entries = Object.entries(shapes).map(([name, shape]) => {
    const count = shape.reduce((product, size) => product * size, 1);
    parts.push(Buffer.from(Float32Array.from({ length: count }, () => random() - 0.5).buffer));
    return [name, { dtype: 'F32', shape, data_offsets: [offset, (offset += count * 4)] }] as const;
  });
  const shape = { vocabulary, width: WIDTH, layers: 1, heads: 1, feed_forward: FEED_FORWARD };
  const noted = Object.fromEntries(Object.entries(shape).map(([name, value]) => [name, String(value)]));
  const header = Buffer.from(JSON.stringify({ ...Object.fromEntries(entries), __metadata__: noted }));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(header.length));
  return Buffer.concat([length, header, ...parts]);
}
