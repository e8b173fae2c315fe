import { readCassette } from './file.ts';
import { openRecorder, type Update } from './record.ts';
import type { Speed } from './replay.ts';
import { openCassetteServer } from './server.ts';

/** A file of `askd record`; with an update, what is not in it is asked of the daemon and added. */
export type TestCassette = string | { file: string; update?: Update; speed?: Speed; strict?: boolean };

/** Stands in front of the daemon for tests, whose address it takes. */
export async function openTestCassette(given: TestCassette, daemonUrl: string) {
  const { file, update, ...rest } = typeof given === 'string' ? { file: given } : given;
  const server = update
    ? await openRecorder({ file, update, upstream: { baseUrl: daemonUrl }, ...rest })
    : await openCassetteServer({ file, cassette: readCassette(file), ...rest });
  // A program that forgets to stop it still ends.
  server.unref();
  return server;
}
