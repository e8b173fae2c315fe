import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const TICK_MS = 50;

export type EventSource = Awaited<ReturnType<typeof openEventSource>>;

/** The events that a daemon sends to a dashboard, at any rate, without the work of a real daemon. */
export async function openEventSource() {
  const streams = new Set<ServerResponse>();
  const runs = new Set<ServerResponse>();
  let sent = 0;
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '', 'http://localhost').pathname;
    if (path === '/api/daemon/events') {
      begin(response, streams);
      response.write(toBlock(statusEvent(0)));
    } else if (path === '/v1/agent/stream') begin(response, runs);
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data: [RUN] }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  async function send(events: readonly object[], to = streams): Promise<void> {
    const blocks = events.map(toBlock).join('');
    for (const stream of to) if (!stream.write(blocks)) await once(stream, 'drain');
  }

  const next = () => eventOf((sent += 1));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Sends this many events a second, and as many words of an answer, for a given time. */
    async pour(perSecond: number, seconds: number): Promise<void> {
      const from = performance.now();
      for (let poured = 0; poured < perSecond * seconds;) {
        const due = Math.floor(((performance.now() - from) / 1000) * perSecond);
        const count = Math.min(due, perSecond * seconds) - poured;
        poured += count;
        await send(Array.from({ length: count }, next));
        await send(
          Array.from({ length: count }, () => ({ type: 'token', delta: 'another word ' })),
          runs,
        );
        await sleep(TICK_MS);
      }
    },
    mark: (text: string) => send([{ topic: 'log', line: logLine(text) }]),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function begin(response: ServerResponse, among: Set<ServerResponse>): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(':\n\n');
  among.add(response);
  response.on('close', () => among.delete(response));
}

const toBlock = (event: object) => `data: ${JSON.stringify(event)}\n\n`;

/** One status in sixty; the rest alternates between events and log lines. */
function eventOf(number: number): object {
  if (number % 60 === 0) return statusEvent(number / 60);
  if (number % 2 === 0) return { topic: 'log', line: logLine(`request ${number}`) };
  return {
    topic: 'chat',
    id: `evt_${number}`,
    type: 'chat.completed',
    created_at: new Date().toISOString(),
    data: { request_id: `req_${number}`, model: 'svc-chat-v1', outcome: 'finished', cost: number / 1e6 },
  };
}

function logLine(msg: string): string {
  return JSON.stringify({ level: 30, time: Date.now(), msg, path: '/v1/chat/completions', status: 200 });
}

const NOW = new Date().toISOString();

const RUN = {
  ...{ id: 'run_1', session_id: 'ses_1', mode: 'research', model: 'svc-chat-v1', query: 'A long question' },
  ...{ status: 'running', stopped: null, max_cycles: 5, answer: null, started_at: NOW, ended_at: null },
};

function statusEvent(second: number): object {
  const status = {
    ...{
      version: '0.1.0',
      pid: 1,
      home: '/home',
      boot_id: 'boot',
      started_at: NOW,
      uptime_seconds: 100 + second,
    },
    ...{ base_url: 'http://127.0.0.1:11535/v1', management_url: 'http://127.0.0.1:11535' },
    ...{
      memory_bytes: 120e6 + second,
      active_keys: 2,
      requests_in_flight: second % 5,
      models: [],
      notices: [],
    },
    served: { requests: second * 30, generated_tokens: second * (20 + (second % 30)), spent: second / 1000 },
    tier: 'enterprise',
    wallet: { balance: 100 - second / 1000, currency: 'usd', held: 0, available: 100 - second / 1000 },
    webhooks: { state: 'delivering', enabled: 1, pending: 0, disabled: [] },
  };
  return { topic: 'status', status, pulls: [], agent: { running: ['run_1'], latest: 'run_1' } };
}
