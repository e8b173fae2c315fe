import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { binFile } from '../../../src/base/paths.ts';
import { openStore } from '../../../src/store/store.ts';
import { percentile } from './part.ts';
import { startReceiver } from './receiver.ts';

const run = promisify(execFile);
const HEALTH_EVERY_MS = 20;
const LOOK_EVERY_MS = 1_000;

/** The real daemon starts with this many deliveries due at once, while a client polls its health. */
export async function measureBacklog(count: number) {
  await using receiver = await startReceiver();
  const home = mkdtempSync(join(tmpdir(), 'askd-bench-'));
  const ca = join(home, 'ca.pem');
  writeFileSync(ca, receiver.ca);
  const settings = {
    ASKD_HOME: home,
    ASKD_PORT: '0',
    ASKD_WEBHOOKS_ALLOW_CIDRS: '127.0.0.0/8',
    ASKD_WEBHOOKS_CA: ca,
  };
  const askd = async (...args: string[]) => {
    const { stdout } = await run(process.execPath, [binFile('askd.js'), ...args, '--json'], {
      env: { ...process.env, ...settings },
    });
    return JSON.parse(stdout) as Record<string, unknown>;
  };
  try {
    await askd('webhooks', 'add', receiver.url, '--events', 'chat.started');
    await askd('down');
    fill(join(home, 'askd.db'), count);
    const { management_url: url, pid } = (await askd('up')) as { management_url: string; pid: number };
    return await watch({ url, pid, count, askd });
  } finally {
    await askd('down').catch(() => undefined);
    rmSync(home, { recursive: true, force: true });
  }
}

function fill(path: string, count: number): void {
  const store = openStore(path);
  store.transaction(() => {
    store.prepare(EVENTS).run({ count, now: Date.now() });
  });
  store.close();
}

const EVENTS = `
  WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < @count)
  INSERT INTO events(id, type, created_at, account_id, data)
  SELECT printf('evt_01JBENCH%018d', n), 'chat.started', @now,
         (SELECT account_id FROM webhook_endpoints), '{"request_id":"req_1","model":"m","stream":true}' FROM number`;

type Watching = {
  url: string;
  pid: number;
  count: number;
  askd: (...args: string[]) => Promise<Record<string, unknown>>;
};

async function watch({ url, pid, count, askd }: Watching) {
  const startedAt = performance.now();
  const waits: number[] = [];
  const megabytes = [residentMegabytes(pid)];
  let isDone = false;
  const asking = (async () => {
    while (!isDone) {
      waits.push(await healthMs(url));
      await pause(HEALTH_EVERY_MS);
    }
  })();
  for (let pending = count; pending > 0;) {
    await pause(LOOK_EVERY_MS);
    megabytes.push(residentMegabytes(pid));
    ({ pending } = (await askd('status'))['webhooks'] as { pending: number });
  }
  const seconds = (performance.now() - startedAt) / 1000;
  isDone = true;
  await asking;
  return {
    seconds,
    perSecond: count / seconds,
    p50Ms: percentile(waits, 0.5),
    p99Ms: percentile(waits, 0.99),
    startMegabytes: megabytes[0] ?? NaN,
    peakMegabytes: Math.max(...megabytes),
    endMegabytes: megabytes.at(-1) ?? NaN,
  };
}

function healthMs(url: string): Promise<number> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const asked = request(`${url}/healthz`, (response) => {
      response.resume().on('end', () => resolve(performance.now() - startedAt));
    });
    asked.on('error', reject).end();
  });
}

function residentMegabytes(pid: number): number {
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return (Number(kibibytes) * 1024) / 1e6;
}
