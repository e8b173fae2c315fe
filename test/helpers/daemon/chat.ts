import OpenAI from 'openai';
import { expect, onTestFinished } from 'vitest';
import { openDaemon, type TestDaemon } from './daemon.ts';

export const hello = [{ role: 'user' as const, content: 'hello' }];

export type ChatDaemon = Awaited<ReturnType<typeof openDaemonWith>>;

/** A daemon that has these models, for one test. */
export async function daemonWith(models: Record<string, { path: string }>, env: Record<string, string> = {}) {
  const daemon = await openDaemonWith(models, env);
  onTestFinished(daemon.close);
  return daemon;
}

/** The same for several tests: the caller closes it. */
export async function openDaemonWith(
  models: Record<string, { path: string }>,
  env: Record<string, string> = {},
  prepare?: Parameters<typeof openDaemon>[1],
  parts?: Parameters<typeof openDaemon>[2],
) {
  const daemon = await openDaemon(env, prepare, parts);
  for (const [id, { path }] of Object.entries(models)) {
    await daemon.services.library.importArtifact({ id, path, mode: 'link' });
  }
  const sdk = new OpenAI({ apiKey: daemon.key, baseURL: daemon.baseURL, maxRetries: 0 });
  const chat = (body: Record<string, unknown>) =>
    daemon.call('POST', '/v1/chat/completions', {
      token: daemon.key,
      body: { model: 'm', messages: hello, ...body },
    });
  return { ...daemon, sdk, chat };
}

export function eventually<Value>(value: () => Value) {
  return expect.poll(value, { timeout: 30_000, interval: 10 });
}

export async function collect<Item>(stream: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

export function busy({ services }: Pick<TestDaemon, 'services'>): number {
  return services.pool.status()[0]?.busy ?? 0;
}
