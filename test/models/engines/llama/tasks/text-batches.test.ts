import type { LlamaEmbeddingContext, Token } from 'node-llama-cpp';
import { afterEach, describe, expect, test } from 'vitest';
import { uint32 } from '../../../../../src/gguf/gguf.ts';
import { llama } from '../../../../../models/engines/llama.ts';
import { openBackend } from '../../../../../models/engines/llama/loading/backend.ts';
import { createTextBatches, whyAlone } from '../../../../../models/engines/llama/tasks/text-batches.ts';
import { architectureModel } from '../../../../helpers/models/models.ts';
import { similarity, wordEmbedder, wordsOf } from '../../../../helpers/models/text-models.ts';
import { embed, openEncoder } from '../../../encoder-contract.ts';

/** The folder of an engine compiled by `askd engines build`. Without it, the prebuilt engine does what it can. */
const build = process.env['ASKD_LLAMA_BUILD'];
const local = build === undefined ? undefined : { folder: build, isRequired: true };

const SIZES = { contextSize: 129, batchSize: 129, threads: 1, ignoreMemorySafetyChecks: true };
const TEXTS = [[5], [9, 70, 9], Array.from({ length: 40 }, (_, index) => 30 + index)] as Token[][];
const [FIRST = [], SECOND = [], LONG = []] = TEXTS;
const MEAN = uint32(1);
const LAST = uint32(3);

const MODELS = {
  'an encoder': () => architectureModel('bert'),
  'an encoder with a window': () => architectureModel('gemma-embedding'),
  'a decoder that takes the last token': () =>
    architectureModel('qwen3', { keys: { 'qwen3.pooling_type': LAST } }),
  'a decoder with a window': () => architectureModel('gemma3', { keys: { 'gemma3.pooling_type': MEAN } }),
};

const opened: { dispose(): Promise<void> }[] = [];
afterEach(() => Promise.all(opened.splice(0).map((model) => model.dispose())));

async function open({ path }: { path: string }) {
  const { llama: native } = await openBackend(local);
  const model = await native.loadModel({ modelPath: path, gpuLayers: 0 });
  opened.push(model);
  return {
    ours: await model.createEmbeddingContext(SIZES),
    theirs: await model.createEmbeddingContext(SIZES),
  };
}

/** The prebuilt engine has the vector of the first sequence only, which is enough for one text at a time. */
function allowOneText(context: LlamaEmbeddingContext): void {
  type Native = { getEmbedding: object; getSequenceEmbedding?: object };
  const native = (context as unknown as { _llamaContext: { _ctx: Native } })._llamaContext._ctx;
  native.getSequenceEmbedding ??= native.getEmbedding;
}

describe.each(Object.entries(MODELS))('%s', (_name, model) => {
  test('gives each text the same vector, bit for bit, as the library does, one after another', async () => {
    const { ours, theirs } = await open(await model());
    allowOneText(ours);
    const { vectorsOf } = createTextBatches(ours, 1);
    for (const text of [...TEXTS, ...TEXTS]) {
      const { vector } = await theirs.getEmbeddingFor(text);
      expect(vector.some((value) => value !== 0)).toBe(true);
      expect((await vectorsOf([text])).map((own) => Array.from(own))).toEqual([vector]);
    }
  });

  test.runIf(build)('gives texts in a batch nearly the vectors that they have alone', async () => {
    const { ours, theirs } = await open(await model());
    expect(whyAlone(ours)).toBeUndefined();
    const { vectorsOf } = createTextBatches(ours, 1);
    for (const texts of [TEXTS, [LONG, SECOND], [SECOND, ...TEXTS.toReversed(), FIRST]]) {
      const vectors = await vectorsOf(texts);
      for (const [index, text] of texts.entries()) {
        const { vector } = await theirs.getEmbeddingFor(text);
        expect(cosine(vectors[index] ?? [], vector)).toBeGreaterThan(0.9999);
      }
    }
  });
});

function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return similarity(a, b) / Math.sqrt(similarity(a, a) * similarity(b, b));
}

test('a batch that fails leaves nothing behind', async () => {
  const { ours, theirs } = await open(await MODELS['a decoder that takes the last token']());
  allowOneText(ours);
  const { vectorsOf } = createTextBatches(ours, 1);
  await expect(vectorsOf([[1_000_000 as Token]])).rejects.toThrow();
  const { vector } = await theirs.getEmbeddingFor(SECOND);
  expect(Array.from((await vectorsOf([SECOND]))[0] ?? [])).toEqual(vector);
});

test.each([
  [
    'whose state cannot be divided',
    () => architectureModel('mamba2', { keys: { 'mamba2.pooling_type': LAST } }),
  ],
  ['without a pooling of its own', () => architectureModel('qwen3')],
])('a model %s evaluates texts one at a time', async (_what, model) => {
  const { ours } = await open(await model());
  allowOneText(ours);
  expect(whyAlone(ours)).toBe('this model cannot evaluate texts together');
});

test.skipIf(build)(
  'the prebuilt engine keeps to one text at a time, and says what else it takes',
  async () => {
    const model = { ...(await wordEmbedder()), tasks: ['embed' as const] };
    const texts = [wordsOf(3), wordsOf(9), wordsOf(3)];
    await using exact = await openEncoder(llama, model);
    await using inexact = await openEncoder(llama, model, { exactVectors: false });
    expect(exact.description.textsAlone).toBeUndefined();
    expect(inexact.description.textsAlone).toContain('askd engines build');
    expect(await embed(inexact, texts)).toEqual(await embed(exact, texts));
  },
);

test.runIf(build)('a request of many texts gets each vector in its place', async () => {
  const model = { ...(await wordEmbedder()), tasks: ['embed' as const] };
  const texts = Array.from({ length: 300 }, (_, index) => wordsOf(((index * 7) % 31) + 1));
  const options = { ...(build && { modules: build }) };
  await using exact = await openEncoder(llama, model, options);
  await using inexact = await openEncoder(llama, model, { ...options, exactVectors: false });
  expect(inexact.description.textsAlone).toBeUndefined();
  const together = await embed(inexact, texts);
  for (const [index, vector] of (await embed(exact, texts)).entries())
    expect(cosine(together[index] ?? [], vector)).toBeGreaterThan(0.9999);
});
