import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from './client.ts';

export const REPOSITORY = 'someone/tiny-GGUF';

export type Work = { name: string; everyMs: number; run: (client: Client, round: number) => Promise<void> };

const hello = [{ role: 'user', content: 'hello' }];
const chat = (changes: object = {}) => ({ model: 'endless', messages: hello, max_tokens: 24, ...changes });

/** What the clients of a busy day do, all kinds at the same time. */
export const WORK: readonly Work[] = [
  {
    name: 'chats',
    everyMs: 200,
    run: async ({ ask }) => void (await ask('/v1/chat/completions', { body: chat() })),
  },
  {
    name: 'streams',
    everyMs: 200,
    run: async ({ ask }) => void (await ask('/v1/chat/completions', { body: chat({ stream: true }) })),
  },
  { name: 'clients that leave', everyMs: 500, run: leave },
  {
    name: 'embeddings',
    everyMs: 500,
    run: async ({ ask }, round) =>
      void (await ask('/v1/embeddings', {
        body: { model: 'svc-embed-v1', input: [`text ${round}`, 'another'] },
      })),
  },
  {
    name: 'moderation',
    everyMs: 1_000,
    run: async ({ ask }, round) =>
      void (await ask('/v1/moderations', { body: { model: 'svc-moderation-v1', input: `text ${round}` } })),
  },
  {
    name: 'agent runs',
    everyMs: 5_000,
    run: async ({ ask }, round) =>
      void (await ask('/v1/agent/run', {
        body: { query: `What is ${round} + 1?`, sources: { web: false, docs: ['notes'] }, max_cycles: 1 },
      })),
  },
  {
    name: 'pulls',
    everyMs: 7_000,
    run: pullAndRemove,
  },
  {
    name: 'loads and evictions',
    everyMs: 3_000,
    run: async ({ ask }, round) =>
      void (await ask(round % 2 ? '/api/daemon/stop' : '/api/daemon/load', { body: { model: 'second' } })),
  },
  { name: 'keys', everyMs: 500, run: createAndRevoke },
  {
    name: 'top-ups',
    everyMs: 2_000,
    run: async ({ ask }) => void (await ask('/api/wallet/top-up', { body: { amount: 5 } })),
  },
];

/** Repeats it until the signal. */
export async function repeat(work: Work, client: Client, signal: AbortSignal): Promise<void> {
  for (let round = 0; !signal.aborted; round++) {
    await work.run(client, round);
    await sleep(work.everyMs, undefined, { signal }).catch(() => undefined);
  }
}

async function leave({ ask }: Client, round: number): Promise<void> {
  const signal = AbortSignal.timeout(20 + (round % 20) * 15);
  await ask('/v1/chat/completions', { body: chat({ stream: true, max_tokens: 2_000 }), signal });
}

async function createAndRevoke({ ask }: Client, round: number): Promise<void> {
  const text = await ask('/api/keys', { body: { name: `soak-${round}` } });
  if (text === undefined) return;
  const { id } = JSON.parse(text) as { id: string };
  // A full disk may refuse it; the account has room for ten keys.
  for (let attempt = 0; attempt < 20; attempt++) {
    if ((await ask(`/api/keys/${id}`, { method: 'DELETE' })) !== undefined) return;
    await sleep(1_000);
  }
}

async function pullAndRemove({ ask }: Client): Promise<void> {
  const text = await ask('/api/daemon/pulls', { body: { model: `hf:${REPOSITORY}` } });
  if (text === undefined) return;
  const { pull } = JSON.parse(text) as { pull: { id: string; artifact: string } | null };
  if (pull === null) return;
  const { id, artifact } = pull;
  for (let wait = 0; wait < 100; wait++) {
    const now = await ask(`/api/daemon/pulls/${id}`);
    const state = now === undefined ? undefined : (JSON.parse(now) as { state: string }).state;
    if (state !== undefined && !['queued', 'downloading'].includes(state)) break;
    await sleep(100);
  }
  await ask('/api/daemon/remove', { body: { model: artifact, force: true } });
}
