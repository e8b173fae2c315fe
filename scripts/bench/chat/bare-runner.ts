import { availableParallelism } from 'node:os';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { fileURLToPath } from 'node:url';
import { syntheticBytes } from '../../../src/gguf/synthetic-model.ts';

type Share = { memory: SharedArrayBuffer; control: SharedArrayBuffer; place: number; threads: number };

const CACHE_LINE = 64;
/** The numbers in `control`: threads that have done their part of a step, steps done, and steps wanted. */
const [ARRIVED, DONE, WANTED] = [0, 1, 2] as const;

export type Order = { tokens: number };
export type FromBareRunner =
  { type: 'token'; id: number; event: { text: string; tokens: number } } | { type: 'done' };

/** Node 20 has it, its types do not. */
const { waitAsync } = Atomics as unknown as {
  waitAsync: (of: Int32Array, index: number, value: number) => { value: Promise<string> | string };
};

if (isMainThread) listen();
else decode(workerData as Share);

/**
 * What any engine in a process of its own has to do: after each token it sends a message. In place of a decode, all
 * cores read as many bytes as a token of the synthetic model.
 */
function listen(): void {
  const threads = availableParallelism();
  const lines = Math.ceil(syntheticBytes() / CACHE_LINE);
  const [memory, control] = [new SharedArrayBuffer(lines * CACHE_LINE), new SharedArrayBuffer(12)];
  new Uint8Array(memory).fill(1);
  for (let place = 0; place < threads; place++) {
    const share: Share = { memory, control, place, threads };
    new Worker(fileURLToPath(import.meta.url), { workerData: share });
  }
  process.on('message', ({ tokens }: Order) => void answer(tokens, new Int32Array(control)));
  process.on('disconnect', () => process.exit());
}

async function answer(tokens: number, control: Int32Array): Promise<void> {
  const begun = Atomics.add(control, WANTED, tokens);
  Atomics.notify(control, WANTED);
  for (let token = 1; token <= tokens; token++) {
    await waitAsync(control, DONE, begun + token - 1).value;
    send({ type: 'token', id: 1, event: { text: ' word', tokens: token } });
  }
  send({ type: 'done' });
}

function send(message: FromBareRunner): void {
  process.send?.(message);
}

function decode({ memory, control: shared, place, threads }: Share): void {
  const [numbers, control] = [new Float64Array(memory), new Int32Array(shared)];
  const [from, to] = [place, place + 1].map((edge) => Math.floor((edge * numbers.length) / threads));
  let seen = 0;
  for (let done = 0; !Number.isNaN(seen); done++) {
    while (Atomics.load(control, WANTED) <= done) Atomics.wait(control, WANTED, done);
    for (let index = from ?? 0; index < (to ?? 0); index += CACHE_LINE / 8) seen += numbers[index] ?? 0;
    finishStep(control, { done, threads });
  }
}

/** The last thread to arrive lets all others go on. */
function finishStep(control: Int32Array, { done, threads }: { done: number; threads: number }): void {
  if (Atomics.add(control, ARRIVED, 1) + 1 === threads) {
    Atomics.store(control, ARRIVED, 0);
    Atomics.add(control, DONE, 1);
    Atomics.notify(control, DONE);
  } else Atomics.wait(control, DONE, done);
}
