import { Agent, type Dispatcher } from 'undici';
import type { Client } from './client.ts';

const CONNECTIONS = 200;
const STREAMS = 20;

/** 200 clients that keep their connections open, and 20 that stream, all at once. */
export async function crowd(
  client: Client,
  { baseUrl, key, ms }: { baseUrl: string; key: string; ms: number },
): Promise<number> {
  const until = performance.now() + ms;
  const agents = Array.from({ length: CONNECTIONS }, () => new Agent({ connections: 1 }));
  let requests = 0;
  async function keepAsking(dispatcher: Dispatcher): Promise<void> {
    while (performance.now() < until) {
      try {
        const { statusCode, body } = await dispatcher.request({
          origin: new URL(baseUrl).origin,
          path: '/v1/models',
          method: 'GET',
          headers: { authorization: `Bearer ${key}` },
        });
        await body.dump();
        requests += 1;
        if (statusCode !== 200)
          client.findings.set(`crowd: ${statusCode}`, (client.findings.get(`crowd: ${statusCode}`) ?? 0) + 1);
      } catch (error) {
        const what = `crowd: ${String(error)}`;
        client.findings.set(what, (client.findings.get(what) ?? 0) + 1);
      }
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
  async function keepStreaming(): Promise<void> {
    while (performance.now() < until) {
      const body = {
        model: 'endless',
        messages: [{ role: 'user', content: 'hello' }],
        max_tokens: 32,
        stream: true,
      };
      await client.ask('/v1/chat/completions', { body });
    }
  }
  await Promise.all([...agents.map(keepAsking), ...Array.from({ length: STREAMS }, keepStreaming)]);
  await Promise.all(agents.map((agent) => agent.close()));
  return requests;
}
