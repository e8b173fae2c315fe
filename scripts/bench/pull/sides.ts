import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { FILE, REPO } from './names.ts';

const run = promisify(execFile);
const LOOK_EVERY_MS = 20;
const PROBE_EVERY_MS = 20;

/** Seconds that curl takes for the file: one connection, no hash, to the same disk; and with a hash after it. */
export async function timeCurl(url: string, folder: string): Promise<{ alone: number; hashed: number }> {
  const target = path.join(folder, 'by-curl');
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1000;
  await run('curl', ['-sSfL', '-o', target, `${url}/${REPO}/resolve/main/${FILE}`]);
  const alone = seconds();
  // Several times as fast as sha256sum where the processor can help.
  await run('openssl', ['dgst', '-sha256', target]);
  const hashed = seconds();
  await rm(target);
  return { alone, hashed };
}

export type Owner = { url: string; key: string };
type Answer = { pull: { id: string } | null; state: string; error: unknown; artifact: string };

/** Seconds from the request for a pull until the daemon reports it done: fetched, hashed, named and in the library. */
export async function timePull(owner: Owner, bytes: number): Promise<number> {
  const startedAt = performance.now();
  const { pull } = await ask(owner, 'POST', '/pulls', { model: `hf:${REPO}` });
  if (pull === null) throw new Error('The daemon had the file already');
  let state = await ask(owner, 'GET', `/pulls/${pull.id}`);
  while (state.state === 'queued' || state.state === 'downloading') {
    await sleep(LOOK_EVERY_MS);
    state = await ask(owner, 'GET', `/pulls/${pull.id}`);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  if (state.state !== 'done')
    throw new Error(`The pull ended as ${state.state}: ${JSON.stringify(state.error)}`);
  const removed = await ask(owner, 'POST', '/remove', { model: state.artifact });
  if ((removed as unknown as { freed_bytes: number }).freed_bytes !== bytes)
    throw new Error('The file was not there');
  return seconds;
}

async function ask({ url, key }: Owner, method: string, where: string, body?: unknown): Promise<Answer> {
  const headers = {
    authorization: `Bearer ${key}`,
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
  const response = await fetch(`${url}/api/daemon${where}`, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${where}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Answer;
}

/** Latencies of /healthz, one request after another, until it is told to stop. */
export function probeHealth({ url }: Owner) {
  const latenciesMs: number[] = [];
  let stopped = false;
  async function look(): Promise<void> {
    while (!stopped) {
      const startedAt = performance.now();
      await (await fetch(`${url}/healthz`)).text();
      latenciesMs.push(performance.now() - startedAt);
      await sleep(PROBE_EVERY_MS);
    }
  }
  const done = look();
  return async () => {
    stopped = true;
    await done;
    return latenciesMs;
  };
}
