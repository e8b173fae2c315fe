import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { forkChild } from '../overhead/child.ts';

export type ToHost = { type: 'open'; model: string; id: string; clip: string } | { type: 'hear' };
export type FromHost =
  { type: 'opened'; port: number; key: string } | { type: 'heard'; ms: number; text: string };

const HOST = fileURLToPath(new URL('./daemon-host.js', import.meta.url));

export type DaemonSide = Awaited<ReturnType<typeof startDaemonSide>>;

/** A daemon in a temporary home, removed at the end. Transcriptions requested inside its process are timed there. */
export async function startDaemonSide(what: { model: string; id: string; clip: string }) {
  const home = await mkdtemp(join(tmpdir(), 'askd-bench-'));
  const unset = { ASKD_API_KEY: undefined, ASKD_BASE_URL: undefined };
  const host = forkChild<ToHost, FromHost>(HOST, { ...unset, ASKD_HOME: home }, { cwd: home });
  const close = async () => {
    await host[Symbol.asyncDispose]();
    await rm(home, { recursive: true, force: true });
  };
  try {
    const { port, key } = await host.ask('opened', { type: 'open', ...what });
    return {
      baseUrl: `http://127.0.0.1:${port}/v1`,
      key,
      hear: () => host.ask('heard', { type: 'hear' }),
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
