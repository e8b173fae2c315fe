import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from './faults.ts';

/** A range of a file that the store sent; `end` grows while it is sending. */
export type Served = { path: string; start: number; end: number; authorization: string | undefined };

type Pouring = {
  content: Buffer;
  start: number;
  end: number;
  fault: Fault | undefined;
  bytesPerSecond: number | undefined;
  entry: Served;
  isOpen: () => boolean;
  /** Sends nothing while this is true. */
  isHeld: () => boolean;
};

const STEP_BYTES = 256 * 1024;
const STEPS_PER_SECOND = 50;
const HELD_MS = 5;

export async function pour(response: ServerResponse, pouring: Pouring): Promise<void> {
  const { content, start, end, fault, bytesPerSecond, entry, isOpen, isHeld } = pouring;
  const rate = fault?.kind === 'drip' ? fault.bytesPerSecond : bytesPerSecond;
  const step =
    rate === undefined ? STEP_BYTES : Math.max(1, Math.min(STEP_BYTES, Math.ceil(rate / STEPS_PER_SECOND)));
  let at = start;
  while (at < end && isOpen() && !response.destroyed) {
    if (isHeld()) {
      await sleep(HELD_MS);
      continue;
    }
    if (fault?.kind === 'cut' && at - start >= fault.afterBytes) return void response.destroy();
    const upTo =
      fault?.kind === 'cut' ? Math.min(end, start + fault.afterBytes, at + step) : Math.min(end, at + step);
    const chunk = fault?.kind === 'wrong-bytes' ? spoiled(content, at, upTo) : content.subarray(at, upTo);
    if (!response.write(chunk)) await drained(response);
    at += chunk.length;
    entry.end = at;
    if (rate !== undefined) await sleep((chunk.length / rate) * 1000);
  }
  response.end();
}

function spoiled(content: Buffer, at: number, upTo: number): Buffer {
  const chunk = Buffer.from(content.subarray(at, upTo));
  chunk[0] = (chunk[0] ?? 0) ^ 0xff;
  return chunk;
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}
