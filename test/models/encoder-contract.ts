import { describe, expect, test } from 'vitest';
import type {
  EmbedRequest,
  Engine,
  ItemEvent,
  LoadOptions,
  RerankRequest,
  Session,
} from '../../src/runtime/engine.ts';
import type { ModelManifest } from '../../src/runtime/manifest.ts';
import { collect } from '../helpers/daemon/chat.ts';
import { similarity, WORDS, wordsOf } from '../helpers/models/text-models.ts';
import { never } from './chats.ts';
import { LOAD_OPTIONS, manifestOf } from './engine-contract.ts';

type Model = { path: string };

export type EncodersUnderTest = {
  name: string;
  engine: Engine;
  /** Reads at most 64 tokens, and texts with the same words are equal for it. */
  embedder: () => Promise<Model>;
  /** Reads at most 64 tokens, and prefers documents that share words with the query. */
  ranker: () => Promise<Model>;
};

const CONTEXT_TOKENS = 64;
/** More tokens than a function of JavaScript can have arguments. */
const MANY_WORDS = 200_000;

/** What every engine for embeddings or scores must do. */
export function testEncoders({ name, engine, ...models }: EncodersUnderTest): void {
  describe(`${name}: vectors`, () => {
    const open = async (options?: Partial<LoadOptions>) =>
      openEncoder(engine, { ...(await models.embedder()), tasks: ['embed'] }, options);

    test('have length 1, and are the nearer the more words two texts share', async () => {
      await using session = await open();
      const vectors = await embed(session, [
        'the cat sat on the mat',
        'on the mat sat the cat',
        'the dog sat on the mat',
        'red fire',
      ]);
      for (const vector of vectors) expect(similarity(vector, vector)).toBeCloseTo(1, 5);
      const [first = [], ...others] = vectors;
      const [same = 0, near = 0, far = 0] = others.map((vector) => similarity(first, vector));
      expect(same).toBeCloseTo(1, 4);
      expect(near).toBeGreaterThan(0.6);
      expect(far).toBeLessThan(0.4);
    });

    test('are bit for bit the same alone, in a batch, and beside other requests', async () => {
      await using session = await open({ slots: 3 });
      const lengths = Array.from({ length: 9 }, (_, index) => wordsOf(index * 4 + 1));
      const texts = [
        ...lengths,
        ...lengths.map((text) => text.split(' ').toReversed().join(' ')),
        ...lengths,
      ];
      const alone = [];
      for (const text of texts) alone.push(...(await embed(session, [text])));
      expect(await embed(session, texts)).toEqual(alone);
      const beside = await Promise.all([embed(session, texts), embed(session, texts.toReversed())]);
      expect(beside[0]).toEqual(alone);
      expect(beside[1]).toEqual(alone.toReversed());
    });

    test('come in order after the count of all tokens, each with its own count', async () => {
      await using session = await open();
      const events = await collect(startEmbed(session, { inputs: [wordsOf(3), wordsOf(5)] }));
      expect(events.map((event) => [event.type, event.promptTokens])).toEqual([
        ['prompt', 12],
        ['item', 5],
        ['item', 7],
      ]);
    });

    test('can be cut and have length 1 again', async () => {
      await using session = await open();
      const [whole] = await embed(session, [wordsOf(4)]);
      const [cut] = await collect(startEmbed(session, { inputs: [wordsOf(4)], dimensions: 8 })).then(results);
      expect(cut).toHaveLength(8);
      expect(similarity(cut ?? [], cut ?? [])).toBeCloseTo(1, 5);
      const ratio = (cut?.[0] ?? 0) / (whole?.[0] ?? 1);
      expect((cut?.[7] ?? 0) / (whole?.[7] ?? 1)).toBeCloseTo(ratio, 4);
    });

    test('of a text that is too long are refused with both counts, before anything runs', async () => {
      await using session = await open({ contextTokens: CONTEXT_TOKENS });
      await embed(session, [wordsOf(CONTEXT_TOKENS - 2)]);
      await expect(embed(session, ['a', wordsOf(CONTEXT_TOKENS - 1)])).rejects.toMatchObject({
        code: 'context_length_exceeded',
        param: 'input[1]',
        details: { n_prompt_tokens: CONTEXT_TOKENS + 1, n_ctx: CONTEXT_TOKENS },
      });
    });

    test('of a text of megabytes are refused for its length like those of a shorter one', async () => {
      await using session = await open({ contextTokens: CONTEXT_TOKENS });
      await expect(embed(session, [wordsOf(MANY_WORDS)])).rejects.toMatchObject({
        code: 'context_length_exceeded',
        details: { n_prompt_tokens: MANY_WORDS + 2, n_ctx: CONTEXT_TOKENS },
      });
    });

    test('stop when they are aborted, after at most the tokens of one long text', async () => {
      await using session = await open();
      const abort = new AbortController();
      const inputs = Array.from({ length: 50 }, () => wordsOf(400));
      let items = 0;
      for await (const event of startEmbed(session, { inputs }, abort.signal)) {
        if (event.type === 'item' && ++items === 3) abort.abort();
      }
      expect(items).toBeLessThan(6);
    });

    test('of a short request do not wait for all of a long one', async () => {
      await using session = await open({ slots: 2, contextTokens: 512 });
      const done: string[] = [];
      const long = embed(session, Array<string>(80).fill(wordsOf(400))).then(() => done.push('long'));
      const short = embed(session, ['a cat']).then(() => done.push('short'));
      await Promise.all([long, short]);
      expect(done).toEqual(['short', 'long']);
    });
  });

  describe(`${name}: scores`, () => {
    const open = async (options?: Partial<LoadOptions>) =>
      openEncoder(engine, { ...(await models.ranker()), tasks: ['rerank'] }, options);
    const query = 'what is the capital of france';

    test('lie between 0 and 1 and rise with the words that are shared', async () => {
      await using session = await open();
      const [all = 0, most = 0, one = 0, none = 0] = await rerank(session, query, [
        'what is the capital of france',
        'paris is the capital of france',
        'berlin is the moon',
        'fire eats blue',
      ]);
      expect([all, most, one, none]).toEqual([all, most, one, none].toSorted((a, b) => b - a));
      expect(none).toBeGreaterThan(0);
      expect(all).toBeLessThan(1);
      expect(all - none).toBeGreaterThan(0.3);
    });

    test('of a long document are those of its best part', async () => {
      // Short enough that no filler word occurs twice in a chunk.
      await using session = await open({ contextTokens: 32 });
      const others = WORDS.filter((word) => !query.split(' ').includes(word)).join(' ');
      const filler = `${others} ${others} ${others}`;
      const [hidden = 0, without = 0] = await rerank(session, query, [
        `${filler} paris is the capital of france ${filler}`,
        `${filler} ${filler}`,
      ]);
      expect(hidden).toBeGreaterThan(without);
    });

    test('of a document of megabytes can be those of its beginning', async () => {
      await using session = await open();
      const documents = [`paris is the capital of france ${wordsOf(MANY_WORDS)}`];
      const events = await collect(startRerank(session, { query, documents, maxTokensPerDocument: 6 }));
      expect(results(events)).toEqual(await rerank(session, query, ['paris is the capital of france']));
    });

    test('are the same alone and among others', async () => {
      await using session = await open();
      const documents = ['the cat', 'france', 'is the capital', 'a'];
      const alone = [];
      for (const document of documents) alone.push(...(await rerank(session, query, [document])));
      expect(await rerank(session, query, documents)).toEqual(alone);
    });

    test('stop within one document when they are aborted', async () => {
      await using session = await open();
      const abort = new AbortController();
      const documents = Array.from({ length: 1000 }, () => 'paris is the capital');
      let items = 0;
      for await (const event of startRerank(session, { query, documents }, abort.signal)) {
        if (event.type === 'item' && ++items === 5) abort.abort();
      }
      expect(items).toBeLessThanOrEqual(6);
    });
  });

  describe(`${name}: scores from vectors`, () => {
    const open = async (options?: Partial<LoadOptions>) =>
      openEncoder(engine, { ...(await models.embedder()), tasks: ['embed', 'rerank'] }, options);

    test('are the cosines mapped to 0..1, and those of a long document are of its nearest part', async () => {
      await using session = await open({ contextTokens: 16 });
      const texts = ['the cat sat', 'sat the cat', 'red fire'];
      const [query = [], ...documents] = await embed(session, texts);
      const scores = await rerank(session, 'the cat sat', [...texts.slice(1), `${wordsOf(60)} the cat sat`]);
      documents.forEach((vector, index) => {
        expect(scores[index]).toBeCloseTo((similarity(query, vector) + 1) / 2, 5);
      });
      expect(scores[2]).toBeGreaterThan(scores[1] ?? 1);
      expect(scores.every((score) => score >= 0 && score <= 1)).toBe(true);
    });
  });

  describe(`${name}: an encoder's session`, () => {
    test('can be disposed of twice, ends running requests, and refuses later ones', async () => {
      const session = await openEncoder(engine, { ...(await models.embedder()), tasks: ['embed'] });
      const inputs = Array.from({ length: 200 }, () => wordsOf(9));
      const running = collect(startEmbed(session, { inputs }));
      await Promise.all([session[Symbol.asyncDispose](), session[Symbol.asyncDispose]()]);
      expect((await running).length).toBeLessThan(inputs.length);
      await expect(embed(session, ['a'])).rejects.toMatchObject({ code: 'shutting_down' });
    });

    test('has the methods of its model and no others', async () => {
      await using embedder = await openEncoder(engine, { ...(await models.embedder()), tasks: ['embed'] });
      await using ranker = await openEncoder(engine, { ...(await models.ranker()), tasks: ['rerank'] });
      const methods = ({ chat, embed: makes, rerank: ranks }: Session) => [chat, makes, ranks].map(Boolean);
      expect(methods(embedder)).toEqual([false, true, true]);
      expect(methods(ranker)).toEqual([false, false, true]);
    });
  });
}

type Opening = Model & Pick<ModelManifest, 'tasks' | 'embedding'>;

export function openEncoder(
  engine: Engine,
  { path, ...facts }: Opening,
  options: Partial<LoadOptions> = {},
): Promise<Session> {
  const manifest = { ...manifestOf(engine, path), ...facts };
  return engine.load(manifest, { ...LOAD_OPTIONS, contextTokens: 512, ...options }, never());
}

export function startEmbed(session: Session, request: EmbedRequest, signal = never()) {
  if (!session.embed) throw new Error('This session does not create embeddings');
  return session.embed(request, signal);
}

export async function embed(session: Session, inputs: string[]): Promise<Float32Array[]> {
  return results(await collect(startEmbed(session, { inputs })));
}

function startRerank(
  session: Session,
  request: RerankRequest,
  signal = never(),
): AsyncIterable<ItemEvent<number>> {
  if (!session.rerank) throw new Error('This session does not rerank');
  return session.rerank(request, signal);
}

async function rerank(session: Session, query: string, documents: string[]): Promise<number[]> {
  return results(await collect(startRerank(session, { query, documents })));
}

/** In the order of the inputs, whichever was done first. */
function results<Result>(events: readonly ItemEvent<Result>[]): Result[] {
  const items = events.flatMap((event) => (event.type === 'item' ? [event] : []));
  return items.toSorted((a, b) => a.index - b.index).map(({ result }) => result);
}
