import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';

export type SeenRequest = {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: unknown;
};
export type Answer = (request: SeenRequest, response: ServerResponse) => void | Promise<void>;

/** A real HTTP server whose answers are scripted, for what no daemon does on demand. */
export async function scriptedServer(answer: Answer) {
  const seen: SeenRequest[] = [];
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const { method = '', url = '', headers } = request;
      const arrived = { method, path: url, headers, body };
      seen.push(arrived);
      return answer(arrived, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return { port, url: `http://127.0.0.1:${port}`, seen };
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

export function sendChunk(
  response: ServerResponse,
  content: string,
  rest: Record<string, unknown> = {},
): void {
  const choices = [{ index: 0, delta: { content }, finish_reason: null }];
  sendEvent(response, { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices, ...rest });
}

export function sendEvent(response: ServerResponse, data: unknown): void {
  if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(`data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of request.setEncoding('latin1')) text += chunk as string;
  if (request.headers['content-type']?.startsWith('multipart/')) return text;
  return text === '' ? undefined : JSON.parse(Buffer.from(text, 'latin1').toString('utf8'));
}
