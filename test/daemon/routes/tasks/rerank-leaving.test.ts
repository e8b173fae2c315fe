import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createScoreMethods, type Ranker } from '../../../../models/engines/scores.ts';
import { createFairQueue } from '../../../../models/engines/fair-queue.ts';
import { asRunner } from '../../../../src/runtime/in-process.ts';
import { eventually, openDaemonWith, type ChatDaemon } from '../../../helpers/daemon/chat.ts';
import { wordRanker } from '../../../helpers/models/text-models.ts';

const DOCUMENTS = 1000;
const DOCUMENT_TOKENS = 3;
const FRAME_TOKENS = 5;

describe('a client that disconnects ends a rerank within one document', () => {
  let daemon: ChatDaemon;
  let engine: ReturnType<typeof gatedEngine>;

  beforeAll(async () => {
    daemon = await openDaemonWith({ ranker: await wordRanker() });
    const { pool } = daemon.services;
    pool.slot = () => Promise.resolve({ runner: engine.runner, [Symbol.dispose]: () => undefined });
  });
  beforeEach(() => {
    engine = gatedEngine();
  });
  afterAll(() => daemon.close());

  test.each([
    { stream: false, scored: 0 },
    { stream: false, scored: 7 },
    { stream: true, scored: 0 },
    { stream: true, scored: 25 },
  ])('%j', async ({ stream, scored }) => {
    const abort = new AbortController();
    const asking = ask(stream, abort.signal);
    engine.allow(scored);
    await eventually(() => engine.begun()).toBe(scored + 1);
    abort.abort();
    await expect(asking).rejects.toThrow();
    await eventually(() => engine.isAborted()).toBe(true);
    engine.allow(DOCUMENTS);
    await eventually(() => usage()).toEqual({
      outcome: 'disconnected',
      prompt_tokens: (scored + 1) * (DOCUMENT_TOKENS + FRAME_TOKENS),
    });
    expect(engine.begun()).toBe(scored + 1);
  });

  async function ask(stream: boolean, signal: AbortSignal): Promise<string> {
    const documents = Array<string>(DOCUMENTS).fill('one two three');
    const response = await fetch(`${daemon.baseURL}/rerank`, {
      method: 'POST',
      headers: { authorization: `Bearer ${daemon.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'ranker', query: 'one', documents, stream }),
      signal,
    });
    return response.text();
  }

  function usage() {
    return daemon.services.store
      .prepare("SELECT outcome, prompt_tokens FROM usage WHERE task = 'rerank' ORDER BY rowid DESC LIMIT 1")
      .get();
  }
});

/** The loop of every engine over its documents, with a model that scores one only when allowed. */
function gatedEngine() {
  const abort = { signal: undefined as AbortSignal | undefined };
  let begun = 0;
  let allowed = 0;
  let wake: () => void = () => undefined;
  const ranker: Ranker = {
    contextTokens: 64,
    tokenize: (text) => text.split(' ').map((word) => word.length),
    frameOf: () => FRAME_TOKENS,
    async scoreOf() {
      begun += 1;
      while (begun > allowed) await new Promise<void>((resolve) => (wake = resolve));
      return 0.5;
    },
  };
  const { rerank } = createScoreMethods(ranker, createFairQueue());
  const runner = asRunner({
    description: { slots: 1, contextTokens: 64, threads: 1, device: 'none' },
    rerank(request, signal) {
      abort.signal = signal;
      return rerank(request, signal);
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  });
  return {
    runner,
    begun: () => begun,
    isAborted: () => abort.signal?.aborted ?? false,
    allow(count: number): void {
      allowed += count;
      wake();
    },
  };
}
