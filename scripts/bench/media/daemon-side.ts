import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { forkChild } from '../overhead/child.ts';

export type ToHost = { type: 'open'; model: string; id: string } | { type: 'hear'; path: string };
export type FromHost =
  { type: 'opened'; port: number; key: string } | { type: 'heard'; ms: number; text: string };

const HOST = fileURLToPath(new URL('./daemon-host.js', import.meta.url));

export type DaemonSide = Awaited<ReturnType<typeof startDaemonSide>>;

/** A daemon in a temporary home, removed at the end. Transcriptions requested inside its process are timed there. */
export async function startDaemonSide({ model, id }: { model: string; id: string }) {
  const home = await mkdtemp(join(tmpdir(), 'askd-bench-'));
  const unset = { ASKD_API_KEY: undefined, ASKD_BASE_URL: undefined };
  const host = forkChild<ToHost, FromHost>(HOST, { ...unset, ASKD_HOME: home }, { cwd: home });
  const close = async () => {
    await host[Symbol.asyncDispose]();
    await rm(home, { recursive: true, force: true });
  };
  try {
    const { port, key } = await host.ask('opened', { type: 'open', model, id });
    return {
      baseUrl: `http://127.0.0.1:${port}/v1`,
      key,
      hear: (path: string) => host.ask('heard', { type: 'hear', path }),
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
