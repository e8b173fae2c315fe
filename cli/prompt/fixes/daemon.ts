import type { Context } from '../../context.ts';
import { createClient } from '../../client/client.ts';
import { ensureDaemon } from '../../daemon-control/start.ts';
import { stopDaemon } from '../../daemon-control/stop.ts';
import { agree } from '../confirm.ts';

export async function offerStart(context: Context): Promise<boolean> {
  const { io, signal } = context;
  if (!(await agree('Start it now?', io, signal))) return false;
  await ensureDaemon(context);
  return true;
}

export async function offerRestart(context: Context): Promise<boolean> {
  const { io, signal } = context;
  if (!(await agree('Restart it now?', io, signal))) return false;
  await stopDaemon(context);
  await ensureDaemon(context);
  return true;
}

/** Another program uses the daemon's port, often the askd of another home, or one that was not stopped. */
export async function offerPort(context: Context, free: string): Promise<boolean> {
  const { environment, io, output, signal } = context;
  const { loadSettings } = await import('../../../src/config/config.ts');
  const { host, port } = await loadSettings(environment);
  output.talk(`Port ${port} is taken by ${await whoHas({ host, port }, signal)}.`);
  if (!(await agree(`Start the daemon on port ${free} instead?`, io, signal))) return false;
  const env = { ...environment.env, ASKD_PORT: free };
  await ensureDaemon({ ...context, environment: { ...environment, env } });
  return true;
}

async function whoHas({ host, port }: { host: string; port: number }, signal: AbortSignal): Promise<string> {
  const target = { url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`, remote: false };
  try {
    const { version } = await createClient(target, signal).health();
    return `askd ${version}, which serves another home`;
  } catch {
    signal.throwIfAborted();
    return 'another program';
  }
}
