import { parentPort, workerData } from 'node:worker_threads';
import { lowerThreadPriority } from '../../base/background-priority.ts';
import { isFailureCode, toFailure, type FailureCode } from '../../base/errors.ts';
import { transfer, type TransferJob, type TransferResult } from './transfer.ts';

/** The thread of one download. It knows only files and hashes; models, bindings and clients belong to the daemon. */
export type FromTransfer =
  | { type: 'progress'; received: number[]; verified: number[] }
  | { type: 'waiting'; untilMs: number; reason: string }
  | { type: 'restarted'; file: number }
  | { type: 'done'; results: TransferResult[] }
  | { type: 'failed'; code: FailureCode; message: string; cause: string };

const REPORT_EVERY_MS = 100;

lowerThreadPriority();
void run(workerData as TransferJob);

async function run(job: TransferJob): Promise<void> {
  const received = job.files.map(() => 0);
  const verified = job.files.map(() => 0);
  let changed = false;
  const sendProgress = () => {
    if (changed) send({ type: 'progress', received: [...received], verified: [...verified] });
    changed = false;
  };
  const note = (counts: number[]) => (file: number, bytes: number) => {
    counts[file] = bytes;
    changed = true;
  };
  const timer = setInterval(sendProgress, REPORT_EVERY_MS);
  try {
    const report = {
      received: note(received),
      verified: note(verified),
      waiting: (untilMs: number, reason: string) => send({ type: 'waiting', untilMs, reason }),
      restarted: (file: number) => send({ type: 'restarted', file }),
    };
    const results = await transfer(job, report, new AbortController().signal);
    sendProgress();
    send({ type: 'done', results });
  } catch (error) {
    const { code, message } = toFailure(error);
    send({
      type: 'failed',
      code: isFailureCode(code) ? code : 'internal_error',
      message,
      cause: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
  } finally {
    clearInterval(timer);
  }
}

function send(message: FromTransfer): void {
  parentPort?.postMessage(message);
}
