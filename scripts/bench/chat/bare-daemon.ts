import { fork } from 'node:child_process';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { FromBareRunner, Order } from './bare-runner.ts';

/** What any daemon has to do with a runner's messages: write each to the client's stream. */
const runner = fork(fileURLToPath(new URL('bare-runner.js', import.meta.url)), [], {
  serialization: 'advanced',
});
let client: ServerResponse | undefined;
runner.on('message', (message) => {
  const from = message as FromBareRunner;
  if (from.type === 'token') client?.write(`data: ${JSON.stringify(chunkOf(from.event.text))}\n\n`);
  else client?.end('data: [DONE]\n\n');
});

const server = createServer((request, response) => {
  void request.toArray().then((parts) => {
    const { max_tokens: tokens } = JSON.parse(parts.join('')) as { max_tokens: number };
    client = response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    runner.send({ tokens } satisfies Order);
  });
});
server.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port, runner: runner.pid });
});
process.on('disconnect', () => process.exit());

function chunkOf(content: string): object {
  return {
    ...{ id: 'chatcmpl-01JD0000000000000000000000', object: 'chat.completion.chunk', created: 1_760_000_000 },
    ...{ model: 'synthetic', system_fingerprint: 'fp_0000000000' },
    choices: [{ index: 0, delta: { content }, logprobs: null, finish_reason: null }],
  };
}
