import { Agent, request, type IncomingMessage } from 'node:http';

export type Poster = ReturnType<typeof createPoster>;

/**
 * A client with nothing but node:http, so that the server is what is measured; connections are kept alive, as in
 * SDKs.
 */
export function createPoster(baseUrl: string, key?: string) {
  const agent = new Agent({ keepAlive: true });

  function open(path: string, body: unknown, signal?: AbortSignal): Promise<IncomingMessage> {
    const headers = {
      'content-type': 'application/json',
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    };
    const method = body === undefined ? 'GET' : 'POST';
    return new Promise((resolve, reject) => {
      const sent = request(baseUrl + path, { method, headers, agent, ...(signal && { signal }) }, resolve);
      sent.on('error', reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  async function ask<Reply>(path: string, body?: unknown): Promise<Reply> {
    const response = await open(path, body);
    const text = Buffer.concat((await response.toArray()) as Buffer[]).toString('utf8');
    if (response.statusCode !== 200) throw new Error(`${path} answered ${response.statusCode}: ${text}`);
    return JSON.parse(text) as Reply;
  }

  return { open, ask, [Symbol.dispose]: () => agent.destroy() };
}

type Embeddings = { data: { embedding: string | number[] }[] };

/** From the request until the answer is parsed, as an SDK does it: the vectors as base64. */
export async function timeEmbeddings(
  { ask }: Poster,
  body: { model: string; input: readonly string[]; encoding_format: 'base64' | 'float' },
): Promise<number> {
  const startedAt = performance.now();
  const { data } = await ask<Embeddings>('/embeddings', body);
  if (data.length !== body.input.length)
    throw new Error(`${data.length} of ${body.input.length} vectors came`);
  for (const { embedding } of data) if (typeof embedding === 'string') Buffer.from(embedding, 'base64');
  return performance.now() - startedAt;
}
