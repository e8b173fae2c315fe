import { join } from 'node:path';
import { expect, test } from 'vitest';
import { onnx } from '../../../../models/engines/onnx.ts';
import { writeSyntheticOnnxEmbedder } from '../../../../scripts/fixtures/synthetic-onnx.ts';
import { WORDS, wordsOf } from '../../../helpers/models/text-models.ts';
import { temporaryFolder } from '../../../helpers/temporary.ts';
import { embed, openEncoder, startEmbed } from '../../encoder-contract.ts';

const BATCH_TOKENS = 512;
const FACTS = { dimensions: 96, truncatable: false };

async function openTransformer(
  options: { suffix?: string; batch?: number } = {},
  pooling: 'mean' | 'last' | 'cls' = 'mean',
) {
  const path = join(temporaryFolder(), 'model');
  const shape = { words: WORDS, width: FACTS.dimensions, layers: 3, heads: 4, feedForward: 384 };
  await writeSyntheticOnnxEmbedder(path, { ...shape, ...options });
  return openEncoder(onnx, { path, tasks: ['embed'], embedding: { ...FACTS, pooling } });
}

/** Different texts, as many of each length. */
function textsOf(lengths: readonly number[], count: number): string[] {
  const words = wordsOf(WORDS.length).split(' ');
  const word = (index: number) => words[index % words.length];
  return lengths.flatMap((length) =>
    Array.from({ length: count }, (_, text) =>
      Array.from({ length }, (_, place) => word(text * 7 + place * (text + 1))).join(' '),
    ),
  );
}

test('layers of attention give a text the same bits alone and in batches of every size', async () => {
  await using session = await openTransformer();
  const texts = textsOf([1, 2, 5, 14, 31, 62, 126, 254], 9);
  const alone = [];
  for (const text of texts) alone.push(...(await embed(session, [text])));
  expect(new Set(alone.map((vector) => vector.join())).size).toBeGreaterThan(texts.length / 2);
  for (const count of [2, 3, 9]) {
    for (let start = 0; start < texts.length; start += count) {
      const end = start + count;
      expect(await embed(session, texts.slice(start, end))).toEqual(alone.slice(start, end));
    }
  }
  expect(await embed(session, texts.toReversed())).toEqual(alone.toReversed());
});

test.each([{ pooling: 'mean' }, { pooling: 'last' }, { pooling: 'cls' }] as const)(
  'texts of many lengths get the same bits alone and in one request, by the $pooling of their tokens',
  async ({ pooling }) => {
    await using session = await openTransformer({}, pooling);
    const lengths = Array.from({ length: 40 }, (_, index) => ((index * 7) % 40) + 1);
    const texts = textsOf(lengths, 1);
    const alone = [];
    for (const text of texts) alone.push(...(await embed(session, [text])));
    expect(await embed(session, texts)).toEqual(alone);
  },
);

test.each([
  { model: 'of 32-bit weights', options: {}, made: BATCH_TOKENS / 16 },
  { model: 'of quantized weights', options: { suffix: '_quantized' }, made: 1 },
  { model: 'that accepts one text only', options: { batch: 1 }, made: 1 },
])('an abort ends the work of a model $model after $made texts', async ({ options, made }) => {
  await using session = await openTransformer(options);
  const abort = new AbortController();
  const inputs = textsOf([14], 200);
  let items = 0;
  for await (const event of startEmbed(session, { inputs }, abort.signal)) {
    if (event.type === 'item' && ++items === 1) abort.abort();
  }
  expect(items).toBeGreaterThanOrEqual(made);
  expect(items).toBeLessThanOrEqual(2 * made);
});
