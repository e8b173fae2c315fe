import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { readCassette } from '../../../src/client/testing/cassette/file.ts';
import { openRecorder, type RecordOptions } from '../../../src/client/testing/cassette/record.ts';
import { openCassetteServer, type CassetteOptions } from '../../../src/client/testing/cassette/server.ts';
import { temporaryFolder } from '../temporary.ts';

/** A temporary file, recorded and replayed by real servers. */
export function openCassette(file = join(temporaryFolder(), 'cassette.jsonl')) {
  return {
    file,
    text: () => (existsSync(file) ? readFileSync(file, 'utf8') : ''),
    exchanges: () => readCassette(file).exchanges,
    async record(options: Omit<RecordOptions, 'file'>) {
      const server = await openRecorder({ file, ...options });
      onTestFinished(server.close);
      return server;
    },
    async replay(options: Partial<CassetteOptions> = {}) {
      const server = await openCassetteServer({ file, cassette: readCassette(file), ...options });
      onTestFinished(server.close);
      return server;
    },
  };
}

export async function post(url: string, body: unknown, init: RequestInit = {}): Promise<Response> {
  const headers = { 'content-type': 'application/json', ...init.headers };
  return fetch(url, { method: 'POST', body: JSON.stringify(body), ...init, headers });
}
