import { once } from 'node:events';
import { connect } from 'node:net';
import { Writable, type Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import Fastify, { type FastifyReply } from 'fastify';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { sendEvents, toEvent } from '../../../daemon/http/sse.ts';

const BLOCKS = 5_000;
const TEXT = 'x'.repeat(1_000);

test('an answer that is already complete lets other requests have their turn', async () => {
  const app = Fastify();
  onTestFinished(() => app.close());
  let sent = 0;
  let sentBefore: number | undefined;
  app.get('/other', () => {
    sentBefore = sent;
    return {};
  });
  app.get('/stream', (_, reply) => {
    const blocks = (async function* () {
      for (sent = 0; sent < BLOCKS; sent += 1) {
        if (sent === 1) other.write('GET /other HTTP/1.1\r\nhost: askd\r\n\r\n');
        yield toEvent(TEXT);
      }
    })();
    return sendEvents({ reply, blocks, onFailure: () => undefined });
  });
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  const other = connect(Number(new URL(address).port), '127.0.0.1');
  onTestFinished(() => void other.destroy());
  await once(other, 'connect');

  const whole = await (await fetch(`${address}/stream`)).text();

  expect(whole).toBe(toEvent(TEXT).repeat(BLOCKS));
  expect(sentBefore).toBeLessThan(100);
});

describe('comments that keep a connection open', () => {
  beforeEach(
    () => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] }),
  );
  afterEach(() => void vi.useRealTimers());

  test('stop once an answer is complete, however slowly it is read', async () => {
    const stream = send(
      (async function* () {
        yield 'data: whole\n\n';
      })(),
    );
    const failed = vi.fn();
    stream.on('error', failed).pipe(new Writable({ highWaterMark: 1, write: () => undefined }));
    await vi.waitFor(() => expect(stream).toMatchObject({ _readableState: { ended: true } }));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(failed).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });

  test('stop once the client has left, even if another block was on its way', async () => {
    let arrive: (step: IteratorResult<string>) => void = () => undefined;
    const next = vi.fn(() => new Promise<IteratorResult<string>>((resolve) => (arrive = resolve)));
    const stream = send({ next, return: () => Promise.resolve({ done: true, value: undefined }) });
    stream.on('data', () => undefined);
    await vi.waitFor(() => expect(next).toHaveBeenCalledOnce());
    const closed = once(stream, 'close');
    stream.destroy();
    await closed;
    arrive({ done: false, value: 'data: late\n\n' });
    await nextTurn();
    expect(vi.getTimerCount()).toBe(0);
  });

  function send(blocks: AsyncIterator<string>): Readable {
    const raw = { cork: () => undefined, uncork: () => undefined, writableCorked: 0, writableEnded: false };
    const reply = { raw, headers: () => undefined } as unknown as FastifyReply;
    return sendEvents({ reply, blocks, onFailure: () => undefined }) as Readable;
  }
});
