import { request as httpRequest, type IncomingMessage } from 'node:http';
import { onTestFinished } from 'vitest';
import type { DaemonEvent } from '../../../src/api/management/events.ts';
import type { TestDaemon } from './daemon.ts';

export type Received = { id: string; event: DaemonEvent };

/** A stream of events, read as it comes. */
export async function watchEvents(daemon: TestDaemon, query = '', headers: Record<string, string> = {}) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = httpRequest({
      ...{ host: '127.0.0.1', port: daemon.port, agent: false },
      path: `/api/daemon/events${query}`,
      headers: {
        ...(headers['cookie'] === undefined && {
          authorization: `Bearer ${daemon.services.rootToken.current()}`,
        }),
        ...headers,
      },
    });
    request.on('response', resolve).on('error', reject).end();
  });
  onTestFinished(() => void response.destroy());
  const received: Received[] = [];
  let arrived: () => void = () => undefined;
  let text = '';
  response.setEncoding('utf8').on('error', () => undefined);
  response.on('data', (part: string) => {
    text += part;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const [, id = '', data = ''] = /^id: (.*)\ndata: (.*)$/s.exec(block) ?? [];
      if (data !== '') received.push({ id, event: JSON.parse(data) as DaemonEvent });
    }
    arrived();
  });
  const until = async <Found>(find: (all: Received[]) => Found | undefined): Promise<Found> => {
    for (;;) {
      const found = find(received);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => (arrived = resolve));
    }
  };
  return { response, received, until, leave: () => response.destroy() };
}
