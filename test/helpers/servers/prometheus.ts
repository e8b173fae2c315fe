import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from '../temporary.ts';

const ROOT = new URL('../../../', import.meta.url);
const MONITORING = new URL('examples/monitoring/', ROOT);
const LIST = new URL('scripts/setup/prometheus-places.json', ROOT);
const PLACES = JSON.parse(readFileSync(LIST, 'utf8')) as string[];

export const monitoringFile = (name: string): string => readFileSync(new URL(name, MONITORING), 'utf8');

function program(name: string): string {
  const files = PLACES.map((place) => fileURLToPath(new URL(`${place}/${name}`, ROOT)));
  const found = files.find((file) => existsSync(file));
  if (found === undefined) throw new Error(`No ${name} here. Install it: apt-get install prometheus`);
  return found;
}

/** promtool's output for a file; rejects if that is an error. */
export async function promtool(...args: string[]): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(program('promtool'), args);
  return stdout + stderr;
}

type Answer<Data> = { status: string; data: Data };

/** A Prometheus with the files of examples/monitoring that scrapes this daemon every second. */
export async function startPrometheus({ port: daemonPort, key }: { port: number; key: string }) {
  const folder = temporaryFolder();
  const config = monitoringFile('prometheus.yml')
    .replace('127.0.0.1:11535', `127.0.0.1:${daemonPort}`)
    .replace('scrape_interval: 15s', 'scrape_interval: 1s\n  evaluation_interval: 1s');
  writeFileSync(join(folder, 'prometheus.yml'), config);
  writeFileSync(join(folder, 'alerts.yml'), monitoringFile('alerts.yml'));
  writeFileSync(join(folder, 'askd.key'), key);
  const port = await freePort();
  const child = spawn(
    program('prometheus'),
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  );
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  async function ask<Data>(path: string): Promise<Answer<Data> | undefined> {
    try {
      const response = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`);
      return (await response.json()) as Answer<Data>;
    } catch {
      return undefined;
    }
  }
  return { config: join(folder, 'prometheus.yml'), ask };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
