import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { bestFirst } from '../../../../src/inference/rerank.ts';
import { busy, eventually, openDaemonWith, type ChatDaemon } from '../../../helpers/daemon/chat.ts';
import { scriptedModel } from '../../../helpers/models/models.ts';
import { wordEmbedder, wordRanker, wordsOf } from '../../../helpers/models/text-models.ts';

type Result = {
  results: { index: number; relevance_score: number; document?: string }[];
  usage: { prompt_tokens: number; total_tokens: number };
};

/** Tokens of a pair besides its document: the query, and what the model adds around both. */
const FRAME_TOKENS = 10;

describe('rerank', () => {
  let daemon: ChatDaemon;
  const query = 'what is the capital of france';
  const documents = ['red fire', 'paris is the capital of france', { text: 'the cat' }, 'the cat'];
  const post = (body: Record<string, unknown>, signal?: AbortSignal) =>
    fetch(`${daemon.baseURL}/rerank`, {
      method: 'POST',
      headers: { authorization: `Bearer ${daemon.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'svc-rerank-v1', query, documents, ...body }),
      ...(signal && { signal }),
    });
  const rank = async (body: Record<string, unknown> = {}) => (await (await post(body)).json()) as Result;

  beforeAll(async () => {
    daemon = await openDaemonWith({
      ranker: await wordRanker(),
      embedder: await wordEmbedder(),
      talker: await scriptedModel('Any answer.'),
    });
    daemon.services.library.bind('svc-rerank-v1', 'ranker');
  });
  afterAll(() => daemon.close());

  test('sorts the documents, the best first, and equal ones in their order', async () => {
    const { results, usage, ...rest } = await rank();
    expect(results.map(({ index }) => index)).toEqual([1, 2, 3, 0]);
    for (const { relevance_score: score } of results) {
      expect(score).toBeGreaterThan(0);
      expect(score).toBeLessThan(1);
    }
    expect(results[1]?.relevance_score).toBe(results[2]?.relevance_score);
    expect(results.every((result) => !('document' in result))).toBe(true);
    expect(usage.total_tokens).toBe(usage.prompt_tokens);
    expect(usage.total_tokens).toBe(4 * 10 + 2 + 6 + 2 + 2);
    expect(rest).toMatchObject({
      id: expect.stringMatching(/^rerank-/) as string,
      model: 'svc-rerank-v1',
      meta: { billed_units: { search_units: 1 } },
    });
  });

  test('returns only the best, and their text, on request', async () => {
    const { results } = await rank({ top_n: 2, return_documents: true });
    expect(results.map(({ document }) => document)).toEqual(['paris is the capital of france', 'the cat']);
  });

  test('ranks a blank document last, without evaluating it', async () => {
    const { results, usage } = await rank({ documents: ['', 'the cat', ' \n'] });
    expect(results).toMatchObject([
      { index: 1 },
      { index: 0, relevance_score: 0 },
      { index: 2, relevance_score: 0 },
    ]);
    expect(usage.prompt_tokens).toBe((await rank({ documents: ['the cat'] })).usage.prompt_tokens);
    expect(await rank({ documents: ['', ''], top_n: 1 })).toMatchObject({
      results: [{ index: 0, relevance_score: 0 }],
      usage: { total_tokens: 0 },
    });
  });

  test('truncates documents on request', async () => {
    const long = { documents: ['the cat the cat the cat'] };
    const read = async (body: object) => (await rank({ ...long, ...body })).usage.total_tokens;
    expect((await read({})) - (await read({ max_tokens_per_doc: 2 }))).toBe(4);
  });

  test.each([null, 4, 5, 1000])('with top_n %j gives back all of four', async (topN) => {
    expect((await rank({ top_n: topN })).results).toHaveLength(4);
  });

  test('takes a thousand documents', async () => {
    const { results } = await rank({ documents: Array<string>(1000).fill('the cat'), top_n: 1 });
    expect(results).toMatchObject([{ index: 0 }]);
  });

  describe('as a stream', () => {
    const stream = async (body: Record<string, unknown>) => {
      const text = await (await post({ stream: true, ...body })).text();
      return text
        .trimEnd()
        .split('\n\n')
        .map((block) => block.replace('data: ', ''));
    };

    test('reports its progress after each hundredth, then the same result as without a stream, and [DONE]', async () => {
      const many = Array.from({ length: 250 }, (_, index) => (index === 99 ? 'the cat' : 'red fire'));
      const blocks = await stream({ documents: many, top_n: 3 });
      expect(blocks).toHaveLength(102);
      const events = blocks.slice(0, -1).map((block) => JSON.parse(block) as object);
      expect(events.slice(0, 2)).toEqual([
        { progress: { scored: 3, total: 250 } },
        { progress: { scored: 5, total: 250 } },
      ]);
      expect(events[99]).toEqual({ progress: { scored: 250, total: 250 } });
      expect(events[100]).toEqual({
        ...(await rank({ documents: many, top_n: 3 })),
        id: expect.stringMatching(/^rerank-/) as string,
      });
      expect(blocks.at(-1)).toBe('[DONE]');
    });

    test('is refused as without a stream', async () => {
      const reply = await post({ stream: true, query: wordsOf(300) });
      expect([reply.status, await reply.json()]).toMatchObject([
        400,
        { error: { code: 'context_length_exceeded', param: 'query' } },
      ]);
    });
  });

  test("with an embedder uses the cosine, and the model's record says so", async () => {
    const { results } = await rank({ model: 'embedder' });
    expect(results[0]?.index).toBe(1);
    const methodOf = async (model: string) =>
      (await daemon.call('GET', `/v1/models/${model}`, { token: daemon.key })).json<{
        local: { method?: string };
      }>().local.method;
    expect(await methodOf('svc-rerank-v1')).toBe('cross_encoder');
    daemon.services.library.bind('svc-rerank-v1', 'embedder');
    expect(await methodOf('svc-rerank-v1')).toBe('embedding_cosine');
    daemon.services.library.bind('svc-rerank-v1', 'ranker');
  });

  test.each([
    [{ query: undefined }, 400, 'missing_required_parameter', 'query'],
    [{ query: '' }, 400, 'invalid_value', 'query'],
    [{ query: ['a'] }, 400, 'invalid_value', 'query'],
    [{ query: wordsOf(300) }, 400, 'context_length_exceeded', 'query'],
    [{ documents: undefined }, 400, 'missing_required_parameter', 'documents'],
    [{ documents: [] }, 400, 'invalid_value', 'documents'],
    [{ documents: 'the cat' }, 400, 'invalid_value', 'documents'],
    [{ documents: [7] }, 400, 'invalid_value', 'documents[0]'],
    [{ documents: [{}] }, 400, 'missing_required_parameter', 'documents[0].text'],
    [{ documents: [{ text: 7 }] }, 400, 'invalid_value', 'documents[0].text'],
    [
      { documents: [{ text: 'a', title: 'b' }], rank_fields: ['name'] },
      400,
      'missing_required_parameter',
      'documents[0].name',
    ],
    [{ documents: Array<string>(1001).fill('a') }, 400, 'invalid_value', 'documents'],
    [{ top_n: 0 }, 400, 'invalid_value', 'top_n'],
    [{ top_n: 1.5 }, 400, 'invalid_value', 'top_n'],
    [{ return_documents: 'yes' }, 400, 'invalid_value', 'return_documents'],
    [{ stream: 'yes' }, 400, 'invalid_value', 'stream'],
    [{ max_tokens_per_doc: 0 }, 400, 'invalid_value', 'max_tokens_per_doc'],
    [{ raw_scores: true }, 400, 'unsupported_parameter', 'raw_scores'],
    [{ top_m: 3 }, 400, 'unsupported_parameter', 'top_m'],
    [{ model: undefined }, 400, 'missing_required_parameter', 'model'],
    [{ model: 'nobody' }, 404, 'model_not_found', 'model'],
    [{ model: 'talker' }, 400, 'model_capability_mismatch', 'model'],
    [{ model: 'svc-embed-v1' }, 400, 'model_capability_mismatch', 'model'],
  ])('%j is %d %s', async (body, status, code, param) => {
    const reply = await post(body);
    expect([reply.status, await reply.json()]).toMatchObject([status, { error: { code, param } }]);
  });

  test('stops when the client disconnects, and charges what was evaluated', async () => {
    const abort = new AbortController();
    const asking = post({ documents: Array<string>(1000).fill(wordsOf(200)) }, abort.signal);
    await eventually(() => busy(daemon)).toBe(1);
    abort.abort();
    await expect(asking).rejects.toThrow();
    await eventually(() => paidByLeavers()).toHaveLength(1);
    expect(paidByLeavers()[0]).toBeLessThan(1000 * 210);
  });

  test('a client that disconnects pays for what it received, and not for what was never evaluated', async () => {
    const before = paidByLeavers().length;
    const abort = new AbortController();
    const { body } = await post(
      { documents: Array<string>(1000).fill(wordsOf(200)), stream: true },
      abort.signal,
    );
    const scored = await firstProgress(body);
    abort.abort();
    await eventually(() => paidByLeavers()).toHaveLength(before + 1);
    const documents = (paidByLeavers()[before] ?? 0) / (200 + FRAME_TOKENS);
    expect(documents).toBeGreaterThanOrEqual(scored);
    expect(documents).toBeLessThan(1000);
  });

  function paidByLeavers(): number[] {
    return daemon.services.store
      .prepare<{ prompt_tokens: number }>(
        "SELECT prompt_tokens FROM usage WHERE task = 'rerank' AND outcome = 'disconnected' ORDER BY rowid",
      )
      .all()
      .map(({ prompt_tokens: tokens }) => tokens);
  }
});

async function firstProgress(body: ReadableStream<Uint8Array> | null): Promise<number> {
  for await (const bytes of body ?? []) {
    const said = /"scored":(\d+)/.exec(Buffer.from(bytes).toString());
    if (said) return Number(said[1]);
  }
  throw new Error('It never said how far it is');
}

test('the order is by score, then by position, whatever the input', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 3 })), (scores) => {
      const ranked = scores.map((score, index) => ({ index, score })).toSorted(bestFirst);
      ranked.slice(1).forEach((next, place) => {
        const before = ranked[place];
        expect(before?.score).toBeGreaterThanOrEqual(next.score);
        if (before?.score === next.score) expect(before.index).toBeLessThan(next.index);
      });
    }),
  );
});
