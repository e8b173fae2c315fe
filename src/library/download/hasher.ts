import { Worker } from 'node:worker_threads';
import type { Hash } from '../hub/client.ts';
import type { FromHasher, ToHasher } from './hash-worker.ts';

export type Hasher = ReturnType<typeof startHasher>;
export type Following = ReturnType<Hasher['follow']>;

type Waiting = {
  onPosition: (position: number) => void;
  resolve: (digest: string) => void;
  reject: (error: Error) => void;
};

/** The handle of the hashing thread. */
export function startHasher(entry: string | URL) {
  const worker = new Worker(entry);
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  worker.on('message', (message: FromHasher) => {
    const entry = waiting.get(message.id);
    if (message.type === 'position') entry?.onPosition(message.position);
    if (message.type === 'digest') entry?.resolve(message.digest);
    if (message.type === 'failed') entry?.reject(new Error(message.message));
  });
  worker.on('error', (error) => {
    for (const { reject } of waiting.values())
      reject(error instanceof Error ? error : new Error(String(error)));
  });
  const send = (message: ToHasher) => worker.postMessage(message);

  return {
    /** Hashes a file from its beginning, as far as it is reported to be written. */
    follow(path: string, hash: Hash, bytes: number, onPosition: (position: number) => void) {
      const id = ++lastId;
      const result = new Promise<string>((resolve, reject) =>
        waiting.set(id, { onPosition, resolve, reject }),
      );
      result.catch(() => undefined);
      send({ type: 'open', id, path, kind: hash.kind, bytes });
      return {
        advance: (upTo: number) => send({ type: 'advance', id, upTo }),
        digest(): Promise<string> {
          send({ type: 'digest', id });
          return result.finally(() => waiting.delete(id));
        },
        close(): void {
          send({ type: 'close', id });
          waiting.delete(id);
        },
      };
    },
    close: () => worker.terminate(),
  };
}
