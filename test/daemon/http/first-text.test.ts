import fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { Failure, FAILURES } from '../../../src/base/errors.ts';
import { startedAnswer } from '../../../daemon/http/first-text.ts';
import { DONE, sendEvents, toEvent } from '../../../daemon/http/sse.ts';

type Deed = 'start' | 'text' | 'fail';

/** An answer that takes its next step on command, sent over HTTP as the routes send theirs. */
async function serve(waits = { startMs: 50, textMs: 50 }) {
  const listeners: ((deed: Deed) => void)[] = [];
  const deeds: Deed[] = [];
  const say = (deed: Deed) => {
    const waiting = listeners.shift();
    if (waiting) waiting(deed);
    else deeds.push(deed);
  };
  const nextDeed = () => {
    const deed = deeds.shift();
    return deed === undefined
      ? new Promise<Deed>((resolve) => listeners.push(resolve))
      : Promise.resolve(deed);
  };
  async function* answer() {
    for (let step = 0; step < 2; step++) {
      const deed = await nextDeed();
      if (deed === 'fail') throw new Failure('model_loading', 'Not yet.');
      yield deed;
    }
  }
  async function* blocks(progress: AsyncIterable<string>) {
    for await (const deed of progress) yield toEvent({ deed });
    yield DONE;
  }
  const app = fastify();
  app.setErrorHandler((error, _, reply) => {
    const { code } = error as Failure;
    void reply.status(FAILURES[code].status).send({ code });
  });
  app.post('/', async (request, reply) => {
    const gone = new AbortController();
    request.raw.socket.once('close', () => gone.abort());
    const progress = await startedAnswer(answer(), gone.signal, waits);
    return sendEvents({ reply, blocks: blocks(progress), onFailure: () => undefined });
  });
  onTestFinished(() => app.close());
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  return { post: () => fetch(address, { method: 'POST' }), say };
}

test('a failure before the wait is over is a plain HTTP error', async () => {
  const { post, say } = await serve({ startMs: 60_000, textMs: 60_000 });
  say('fail');
  const reply = await post();
  expect([reply.status, await reply.json()]).toEqual([503, { code: 'model_loading' }]);
});

test('so is a failure at the first text', async () => {
  const { post, say } = await serve({ startMs: 60_000, textMs: 60_000 });
  say('start');
  say('fail');
  expect((await post()).status).toBe(503);
});

test('a client that waits longer gets headers and a comment, and then the answer', async () => {
  const { post, say } = await serve();
  const reply = await post();
  expect(reply.headers.get('content-type')).toContain('text/event-stream');
  say('start');
  say('text');
  const text = await reply.text();
  expect(text).toMatch(/^:\n\n/);
  expect(text.replaceAll(':\n\n', '')).toBe(
    'data: {"deed":"start"}\n\ndata: {"deed":"text"}\n\ndata: [DONE]\n\n',
  );
});

test('a failure after that is an event, and the stream ends without [DONE]', async () => {
  const { post, say } = await serve();
  const reply = await post();
  expect(reply.status).toBe(200);
  say('fail');
  const text = await reply.text();
  expect(text).toContain('"code":"model_loading"');
  expect(text).not.toContain('[DONE]');
});
