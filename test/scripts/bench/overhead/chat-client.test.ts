import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createChatClient } from '../../../../scripts/bench/overhead/chat-client.ts';

const chunk = (delta: object) => `data: ${JSON.stringify({ choices: [{ delta }] })}\n\n`;
const usage = `data: ${JSON.stringify({ choices: [], usage: { completion_tokens: 7 } })}\n\n`;
const request = { prompt: 'Hello', maxTokens: 9, place: 0 };

let server: Server | undefined;
afterEach(() => server?.close());

test('counts chunks with text, and takes the number of tokens from the usage', async () => {
  const bodies: unknown[] = [];
  const { stream, close } = await clientOf((response, body) => {
    bodies.push(JSON.parse(body));
    const start = chunk({ role: 'assistant', content: '' });
    // Cut in the middle of a line, as a network may.
    response.write(start + chunk({ content: 'He' }).slice(0, 12));
    setImmediate(() =>
      response.end(chunk({ content: 'He' }).slice(12) + chunk({ content: 'y' }) + usage + 'data: [DONE]\n\n'),
    );
  });
  let arrivals = 0;
  expect(await stream(request, () => arrivals++, new AbortController().signal)).toBe(7);
  expect(arrivals).toBe(2);
  expect(bodies).toMatchObject([{ model: 'm', stream: true, max_tokens: 9, temperature: 0 }]);
  close();
});

test('an aborted stream gives the chunks that arrived before', async () => {
  const controller = new AbortController();
  const { stream, close } = await clientOf((response) => response.write(chunk({ content: 'He' })));
  expect(await stream(request, () => controller.abort(), controller.signal)).toBe(1);
  close();
});

test('an error of the server is an error here, both before and during the stream', async () => {
  const refusing = await clientOf((response) => response.writeHead(404).end('{"error":{}}'));
  await expect(refusing.stream(request, () => undefined, new AbortController().signal)).rejects.toThrow(
    '404',
  );
  refusing.close();
  server?.close();
  const failing = await clientOf((response) => response.end('data: {"error":{"message":"it broke"}}\n\n'));
  await expect(failing.stream(request, () => undefined, new AbortController().signal)).rejects.toThrow(
    'it broke',
  );
  failing.close();
});

async function clientOf(answer: (response: ServerResponse, body: string) => void) {
  server = createServer((incoming, response) => {
    void incoming.toArray().then((parts) => answer(response, parts.join('')));
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return createChatClient({ baseUrl: `http://127.0.0.1:${port}/v1`, key: 'k', model: 'm' });
}
