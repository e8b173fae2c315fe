import { Readable } from 'node:stream';
import { parentPort, workerData } from 'node:worker_threads';
import Fastify from 'fastify';

/** A server that sends fixed answers of the same size, one event at a time, and does nothing else. */
const { words } = workerData as { words: number };
const chunk = (content: string, finish: string | null = null) => ({
  ...{ id: 'chatcmpl-01JD0000000000000000000000', object: 'chat.completion.chunk', created: 1_760_000_000 },
  ...{ model: 'scripted', system_fingerprint: 'fp_0000000000' },
  choices: [{ index: 0, delta: { content }, finish_reason: finish }],
});
const answer = {
  ...{ id: 'chatcmpl-01JD0000000000000000000000', object: 'chat.completion', created: 1_760_000_000 },
  model: 'scripted',
  choices: [
    { index: 0, message: { role: 'assistant', content: 'This is a short answer.' }, finish_reason: 'stop' },
  ],
  usage: { prompt_tokens: 8, completion_tokens: 5, total_tokens: 13 },
};

const app = Fastify({ logger: false });
app.post('/v1/chat/completions', (request, reply) => {
  const { stream = false } = request.body as { stream?: boolean };
  if (!stream) return answer;
  void reply.header('content-type', 'text/event-stream; charset=utf-8');
  return Readable.from(events(), { objectMode: true });
});
parentPort?.postMessage(await app.listen({ host: '127.0.0.1', port: 0 }));

function* events() {
  yield toEvent(chunk(''));
  for (let index = 0; index < words; index++) yield toEvent(chunk(`${index ? ' ' : ''}word${index % 10}`));
  yield toEvent(chunk('', 'stop'));
  yield 'data: [DONE]\n\n';
}

function toEvent(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}
