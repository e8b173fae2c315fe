import { parentPort } from 'node:worker_threads';
import { readDocument, type DocumentSource, type ReadDocument } from './read-document.ts';

export type ToExtract = { id: number; source: DocumentSource };
export type FromExtract =
  { id: number; isStarted: true } | { id: number; document: ReadDocument } | { id: number; error: string };

parentPort?.on('message', ({ id, source }: ToExtract) => {
  // The timeout starts here: loading this file takes long on a busy machine.
  parentPort?.postMessage({ id, isStarted: true } satisfies FromExtract);
  void readDocument(source).then(
    (document) => parentPort?.postMessage({ id, document } satisfies FromExtract),
    (error: unknown) =>
      parentPort?.postMessage({ id, error: (error as Error).message } satisfies FromExtract),
  );
});
