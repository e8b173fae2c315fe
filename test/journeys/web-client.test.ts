import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openTab } from '../helpers/chromium.ts';
import { install } from '../helpers/daemon/installation.ts';

type Seen = { status: number; events: number; text: string; requestId: string | null };

/** A page on another port, such as a chat program in the browser. */
async function servePage(): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<title>web client</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

/** In the page: a streamed answer, read as it arrives. */
async function streamChat([url, key]: [string, string]): Promise<Seen | string> {
  try {
    const response = await fetch(`${url}/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'x-stainless-os': 'Linux',
      },
      body: JSON.stringify({
        model: 'svc-chat-v1',
        messages: [{ role: 'user', content: 'Say hello.' }],
        max_tokens: 4,
        stream: true,
      }),
    });
    const text = await response.text();
    const events = text.split('\n\n').filter((each) => each.startsWith('data: ')).length;
    return { status: response.status, events, text, requestId: response.headers.get('x-request-id') };
  } catch (error) {
    return String(error);
  }
}

test('a page on another port can stream a chat only once its origin is allowed', async () => {
  const { askd } = install();
  const origin = await servePage();
  const { key } = (await askd(['keys', 'create', '--name', 'web', '--json'])).json<{ key: string }>();
  const { page } = await openTab();
  await page.goto(origin);
  const attempt = async () => {
    const { base_url: url } = (await askd(['up', '--json'])).json<{ base_url: string }>();
    return page.evaluate(streamChat, [url, key] as [string, string]);
  };

  expect(await attempt()).toBe('TypeError: Failed to fetch');
  const { stdout: log } = await askd(['logs', '--json']);
  const command = /askd (config add allowed_origins \S+) && askd restart/.exec(log)?.[1] ?? '';
  expect(command).toBe(`config add allowed_origins ${origin}`);

  expect((await askd(command.split(' '))).exitCode).toBe(0);
  await askd(['restart']);
  const seen = await attempt();
  expect(seen).toMatchObject({ status: 200, requestId: expect.stringMatching(/^req_/) });
  expect((seen as Seen).text).toMatch(/data: \[DONE\]\n\n$/);
  expect((seen as Seen).events).toBeGreaterThan(2);

  expect((await askd(['config', 'remove', 'allowed_origins', origin])).exitCode).toBe(0);
  await askd(['restart']);
  expect(await attempt()).toBe('TypeError: Failed to fetch');
});
