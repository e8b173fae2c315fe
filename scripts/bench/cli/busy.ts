import { setTimeout as sleep } from 'node:timers/promises';
import type { Askd } from '../overhead/askd.ts';

/** A machine that cannot keep up gets fewer chats instead of an ever-growing queue. */
const OPEN_MAX = 8;

/** Chats at a steady rate, for as long as it is in scope. */
export async function keepBusy({ baseUrl, key }: Askd, chatsPerSecond: number) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ model: 'svc-chat-v1', messages: [{ role: 'user', content: 'Hello' }] });
  const stop = new AbortController();
  const open = new Set<Promise<void>>();
  const startedAt = performance.now();
  let sent = 0;
  let answered = 0;

  async function chat(): Promise<void> {
    const response = await fetch(`${baseUrl}/chat/completions`, { method: 'POST', headers, body });
    if (!response.ok)
      throw new Error(`A chat was answered with ${response.status}: ${await response.text()}`);
    await response.text();
    answered += 1;
  }

  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      const due = Math.floor(((performance.now() - startedAt) / 1000) * chatsPerSecond);
      for (; sent < due; sent++) {
        if (open.size >= OPEN_MAX) continue;
        const one = chat().finally(() => open.delete(one));
        open.add(one);
      }
      await sleep(1000 / chatsPerSecond);
    }
    await Promise.all(open);
  }

  await chat();
  const running = run();
  return {
    chatsPerSecond: () => answered / ((performance.now() - startedAt) / 1000),
    async [Symbol.asyncDispose](): Promise<void> {
      stop.abort();
      await running;
    },
  };
}
