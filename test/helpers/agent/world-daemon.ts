import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { AgentEvent } from '../../../src/api/tasks/agent.ts';
import { daemonWith } from '../daemon/chat.ts';
import { announce, runCli } from '../terminal/cli.ts';
import { checkEvents } from './event-grammar.ts';
import { perfectReader } from './reader.ts';
import type { Script } from './scripted-chat.ts';
import { upstreamReader } from './upstream-reader.ts';
import { asMarkdown, createWorld } from './world.ts';

export const WORLD = createWorld(11);
export const TWO_HOP = WORLD.questions.find(({ kind }) => kind === 'two-hop') ?? { text: '', answer: '' };

/** A daemon with the world's pages as local documents, and a scripted model behind it. */
export async function withWorld(script: Script = perfectReader, env: Record<string, string> = {}) {
  const server = await upstreamReader(script);
  const daemon = await daemonWith({}, { ASKD_STARTER: 'off', ...env });
  const body = { id: 'm', base_urls: [`${server.url}/v1`], model: 'm', tasks: ['chat'] };
  expect((await daemon.call('POST', '/api/daemon/upstreams', { body })).status).toBe(201);
  daemon.services.library.bind('svc-chat-v1', 'm');
  const folder = join(daemon.home, 'bridges');
  mkdirSync(folder);
  for (const page of WORLD.pages) writeFileSync(join(folder, `${page.path}.md`), asMarkdown(page));
  announce(daemon);
  const askd = (...args: string[]) => runCli(args, { home: daemon.home });
  expect(await askd('docs', 'add', folder)).toMatchObject({ code: 0 });
  const run = (rest: Record<string, unknown> = {}) =>
    daemon.call('POST', '/v1/agent/run', { token: daemon.key, body: { query: TWO_HOP.text, ...rest } });
  /** Every run that is streamed completely is checked against the grammar of its events, whatever the test is about. */
  const stream = async (query: Record<string, string>, headers: Record<string, string> = {}) => {
    const path = `/v1/agent/stream?${new URLSearchParams(query).toString()}`;
    const reply = await daemon.call('GET', path, { token: daemon.key, headers });
    const isWhole = reply.status === 200 && !('last-event-id' in headers);
    if (isWhole) checkEvents(eventsOf(reply.text).events, { maxCycles: Number(query['maxCycles'] ?? 8) });
    return reply;
  };
  return { ...daemon, askd, run, stream, server };
}

/** The events of a stream, and its last line. */
export const eventsOf = (text: string) => {
  const data = Array.from(text.matchAll(/^data: (.*)$/gm), ([, line = '']) => line);
  return { last: data.at(-1), events: data.slice(0, -1).map((line) => JSON.parse(line) as AgentEvent) };
};
