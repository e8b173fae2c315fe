import { setMaxListeners } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '../../src/base/presence.ts';
import { openHub } from '../hub/hub.ts';
import { createClient, type Client } from './client.ts';
import { crowd } from './crowd.ts';
import { startDaemon, type SoakDaemon } from './daemon.ts';
import { fillDisk, killRunner, stepClock, type Faults } from './faults.ts';
import { openHome, type SoakHome } from './home.ts';
import { openFailingReceiver } from './receiver.ts';
import { findingsOf, render, type Outcome } from './report.ts';
import { createSamples } from './samples.ts';
import { repeat, REPOSITORY, WORK } from './work.ts';

const LIGHT_ROUTES = ['/healthz', '/v1/models', '/api/daemon/status'];
const LIGHT_EVERY_MS = 200;
const BAD_LINE = /"level":(?:60|"fatal")|unhandled|uncaught/i;

export type Plan = {
  minutes: number;
  crowdSeconds: number;
  killEveryMs: number;
  fillEveryMs: number;
  stepEveryMs: number;
  sampleEveryMs: number;
};

/**
 * A daemon of the built product under everything at once, for the time of the plan or until the signal. Returns the
 * report, and what it found wrong.
 */
export async function soak(plan: Plan, write: (line: string) => void, interrupted?: AbortSignal) {
  const closers: (() => Promise<void> | void)[] = [];
  const closing = <Part>(part: Part, close: (part: Part) => Promise<void> | void): Part => {
    closers.unshift(() => close(part));
    return part;
  };
  try {
    const home = closing(openHome(), (each) => each.close());
    const hub = closing(await openHub(), (each) => each.close());
    const receiver = closing(await openFailingReceiver(home.beside), (each) => each.close());
    const settings = { ...hub.environment(join(home.beside, 'hub')), ...receiver.settings };
    const daemon = closing(await startDaemon(home, settings, receiver.url), (each) => each.stop());
    hub.add(REPOSITORY, { 'tiny-Q4_K_M.gguf': readFileSync(daemon.models.second) });
    const client = createClient(daemon);
    const loaded = await loadAndSample(plan, { client, daemon, home, write, interrupted });
    const outcome = {
      ...loaded,
      ...(await lookBack({ client, daemon, home })),
      deliveries: receiver.count(),
    };
    const findings = findingsOf(outcome);
    return { report: render(outcome, findings), findings, outcome };
  } finally {
    for (const close of closers) await close();
  }
}

type Parts = { client: Client; daemon: SoakDaemon; home: SoakHome };

async function loadAndSample(
  plan: Plan,
  {
    client,
    daemon,
    home,
    write,
    interrupted,
  }: Parts & { write: (line: string) => void; interrupted: AbortSignal | undefined },
) {
  if (plan.crowdSeconds > 0) {
    const requests = await crowd(client, { ...daemon, ms: plan.crowdSeconds * 1000 });
    write(
      `200 connections and 20 streams for ${plan.crowdSeconds} s: ${requests} requests beside the streams.`,
    );
  }
  const { signal, abort } = stoppable();
  const taken = createSamples(daemon.pid);
  const faults: Faults = { kills: 0, fills: 0, steps: 0 };
  const every = async (ms: number, work: () => Promise<void> | void) => {
    while (await sleep(ms, true, { signal }).catch(() => false)) await work();
  };
  const running = [
    ...WORK.map((work) => repeat(work, client, signal)),
    every(LIGHT_EVERY_MS, () => timeLightRoutes(client, taken.light)),
    every(plan.killEveryMs, () => killRunner(client, faults)),
    every(plan.fillEveryMs, () => fillDisk(home, faults)),
    every(plan.stepEveryMs, () => stepClock(home, faults)),
    every(plan.sampleEveryMs, () => {
      const { minute, rssMegabytes, openFiles, p99Ms } = taken.take(client.counts.answered);
      write(
        `${minute.toFixed(1)} min: ${rssMegabytes.toFixed(0)} MB, ${openFiles} open files, p99 ${p99Ms.toFixed(1)} ms`,
      );
    }),
  ];
  const isOver = sleep(plan.minutes * 60_000, undefined, { signal: interrupted }).catch(() => undefined);
  // Work that fails ends the run, and its daemon with it.
  await Promise.race([isOver, Promise.all(running)]).finally(abort);
  await Promise.all(running);
  return { samples: taken.samples, faults, client, wasFilled: home.fill !== undefined };
}

function stoppable() {
  const ending = new AbortController();
  // Each kind of work waits for it.
  setMaxListeners(0, ending.signal);
  return { signal: ending.signal, abort: () => ending.abort() };
}

async function timeLightRoutes({ ask }: Client, light: (ms: number) => void): Promise<void> {
  for (const path of LIGHT_ROUTES) {
    const startedAt = performance.now();
    await ask(path);
    light(performance.now() - startedAt);
  }
}

async function lookBack({ client, daemon, home }: Parts) {
  const audit = await client.ask('/api/daemon/ledger');
  const { findings } = JSON.parse(audit ?? '{"findings":[{"invariant":"none was read","detail":""}]}') as {
    findings: Outcome['audit'];
  };
  const logged = home
    .log()
    .split('\n')
    .filter((line) => BAD_LINE.test(line));
  return { audit: findings, logged, hasEnded: !isAlive(daemon.pid) };
}
