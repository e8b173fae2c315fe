import type { LlamaModel, Token } from 'node-llama-cpp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBackend, type Backend } from '../../../../../models/engines/llama/loading/backend.ts';
import { withoutSampler } from '../../../../../models/engines/llama/loading/without-sampler.ts';
import { wordEmbedder, wordRanker, WORDS } from '../../../../helpers/models/text-models.ts';

const SIZES = { contextSize: 65, batchSize: 65, threads: 1, ignoreMemorySafetyChecks: true };
/** Tokens of the words that the tiny models know. */
const TEXTS = [[5], [9, 4, 9], WORDS.slice(0, 30).map((_, index) => 4 + index)] as Token[][];

describe('a text that is read without a sampler', () => {
  let backend: Backend;
  const models: LlamaModel[] = [];
  const load = async (path: string) => {
    const model = await backend.llama.loadModel({ modelPath: path, gpuLayers: 0 });
    models.push(model);
    return model;
  };

  beforeAll(async () => {
    backend = await openBackend();
  });
  afterAll(() => Promise.all(models.map((model) => model.dispose())));

  test('has the same vector bit for bit as from the library’s own code, each time', async () => {
    const model = await load((await wordEmbedder()).path);
    const own = await model.createEmbeddingContext(SIZES);
    const ours = withoutSampler(await model.createEmbeddingContext(SIZES));
    for (const text of [...TEXTS, ...TEXTS]) {
      const { vector } = await ours.getEmbeddingFor(text);
      expect(vector.some((value) => value !== 0)).toBe(true);
      expect(vector).toEqual((await own.getEmbeddingFor(text)).vector);
    }
  });

  test('has the same score', async () => {
    const model = await load((await wordRanker()).path);
    const own = await model.createRankingContext(SIZES);
    const ours = withoutSampler(await model.createRankingContext(SIZES));
    for (const text of [...TEXTS, ...TEXTS]) {
      expect(await ours.rank(TEXTS[1] ?? [], text)).toBe(await own.rank(TEXTS[1] ?? [], text));
    }
  });

  test('creates none, which would be as long as the vocabulary', async () => {
    const model = await load((await wordEmbedder()).path);
    const made = watchSamplers(model);
    await (await model.createEmbeddingContext(SIZES)).getEmbeddingFor(TEXTS[1] ?? []);
    expect(made()).toBe(1);
    await withoutSampler(await model.createEmbeddingContext(SIZES)).getEmbeddingFor(TEXTS[1] ?? []);
    expect(made()).toBe(1);
  });
});

/** Counts how often the model is given to a new sampler. */
function watchSamplers(model: LlamaModel): () => number {
  const inside = model as unknown as {
    _llama: { _bindings: { AddonSampler: new (model: object) => object } };
  };
  const llama = inside._llama;
  const { AddonSampler } = llama._bindings;
  let made = 0;
  class Counted extends AddonSampler {
    constructor(native: object) {
      super(native);
      made += 1;
    }
  }
  const counting = Object.create(llama, {
    _bindings: { value: Object.create(llama._bindings, { AddonSampler: { value: Counted } }) as object },
  }) as object;
  Object.defineProperty(inside, '_llama', { value: counting });
  return () => made;
}
