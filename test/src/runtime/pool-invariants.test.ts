import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Failure } from '../../../src/base/errors.ts';
import type { Lease } from '../../../src/runtime/lease.ts';
import {
  manifestOf,
  scriptedPool,
  tick,
  type ScriptedLoad,
  type ScriptedRunner,
} from '../../helpers/models/scripted-pool.ts';

const MODELS = ['a', 'b', 'c', 'd', 'e'];
const BUDGET = 100;

/** The possible steps, each with a number that chooses its target. */
const step = fc.tuple(
  fc
    .constantFrom('ask', 'ask', 'ask', 'leave', 'release', 'release', 'loads', 'loads', 'fails', 'runs out')
    .map(String),
  fc.nat(20),
);
const trouble = fc.tuple(
  fc.constantFrom('crash', 'stop', 'pin', 'unpin', 'time', 'exits').map(String),
  fc.nat(20),
);
const story = fc.record({
  sizes: fc.tuple(...MODELS.map(() => fc.integer({ min: 1, max: 120 }))),
  turnMs: fc.constantFrom(0, 10),
  steps: fc.array(fc.oneof({ weight: 3, arbitrary: step }, trouble), { maxLength: 60 }),
});

type Request = { id: string; client: AbortController; lease?: Lease; outcome?: string };

test(
  'whatever is asked, fails, leaves and crashes, in any order and with any sizes',
  { timeout: 120_000 },
  async () => {
    await fc.assert(fc.asyncProperty(story, runStory), { numRuns: 300 });
  },
);

async function runStory({
  sizes: list,
  turnMs,
  steps,
}: {
  sizes: number[];
  turnMs: number;
  steps: [string, number][];
}) {
  const sizes = Object.fromEntries(MODELS.map((id, index) => [id, list[index] ?? 1]));
  const scripted = scriptedPool({ sizes, budgetRam: BUDGET, turnMs, holdExits: true });
  const { pool, loads, clock } = scripted;
  const requests: Request[] = [];
  const open: ScriptedLoad[] = [];
  const runners: { id: string; runner: ScriptedRunner }[] = [];
  const stops: Promise<boolean>[] = [];
  let seen = 0;

  for (const [what, number] of steps) {
    act(what, number);
    await tick();
    check();
  }
  await finish();

  function act(what: string, number: number): void {
    const id = MODELS[number % MODELS.length] as string;
    if (what === 'ask') ask(id);
    if (what === 'leave') pick(requests, number)?.client.abort(new Error('left'));
    if (what === 'release') release(pick(requests.filter(isServed), number));
    if (what === 'loads') loadsWell(take(open, number));
    if (what === 'fails') take(open, number)?.fail(new Failure('model_load_failed', 'broken'));
    if (what === 'runs out') take(open, number)?.fail(new Failure('insufficient_memory', 'no room'));
    if (what === 'crash') pick(runners, number)?.runner.crash();
    if (what === 'exits') pick(runners, number)?.runner.gone?.();
    if (what === 'stop') stops.push(pool.stop(id));
    if (what === 'pin')
      void pool.load(manifestOf(id), { isPinned: true }, new AbortController().signal).catch(() => {});
    if (what === 'unpin') stops.push(pool.stop(id));
    if (what === 'time') clock.advance(number);
  }

  function ask(id: string): void {
    const request: Request = { id, client: new AbortController() };
    requests.push(request);
    void serve(request).catch((error: unknown) => {
      request.lease?.[Symbol.dispose]();
      request.outcome = error instanceof Failure ? error.code : (error as Error).message;
    });
  }

  async function serve(request: Request): Promise<void> {
    const { signal } = request.client;
    request.lease = await pool.lease(manifestOf(request.id), signal);
    await request.lease.slot(signal);
    request.outcome = 'granted';
  }

  function release(request: Request | undefined): void {
    request?.lease?.[Symbol.dispose]();
    if (request) requests.splice(requests.indexOf(request), 1);
  }

  function loadsWell(load: ScriptedLoad | undefined): void {
    if (load) runners.push({ id: load.id, runner: load.succeed() });
  }

  function check(): void {
    for (; seen < loads.length; seen++) open.push(loads[seen] as ScriptedLoad);
    const loading = open.reduce((sum, { id }) => sum + (sizes[id] ?? 0), 0);
    expect(scripted.inUse() + loading, 'memory in use').toBeLessThanOrEqual(BUDGET);
    const ids = open.map(({ id }) => id);
    expect(new Set(ids).size, `loads at once: ${ids.join()}`).toBe(ids.length);
    for (const { busy, slots } of pool.status()) expect(busy).toBeLessThanOrEqual(slots);
    for (const { lease, id } of requests.filter(isServed)) {
      const status = pool.status().filter(({ artifact }) => artifact === id);
      expect(status.length, `places of ${id}`).toBeLessThanOrEqual(1);
      if (lease?.runner.alive) expect(status[0]?.state, `state of ${id} in use`).toBe('loaded');
    }
  }

  /** From here on nothing fails, so every request is served or has its error, and nothing is left over. */
  async function finish(): Promise<void> {
    for (let round = 0; requests.some(({ outcome }) => outcome === undefined); round++) {
      expect(round, 'rounds until everybody has an answer').toBeLessThan(400);
      await goOn();
    }
    const known = ['granted', 'left', 'insufficient_memory', 'model_load_failed', 'queue_full'];
    for (const { outcome } of requests) expect(known).toContain(outcome);
    for (let round = 0; pool.status().length > 0; round++) {
      expect(round, 'rounds until all is unloaded').toBeLessThan(400);
      for (const id of MODELS) stops.push(pool.stop(id));
      await goOn();
    }
    await Promise.all(stops);
    expect(scripted.inUse()).toBe(0);
  }

  async function goOn(): Promise<void> {
    clock.advance(10);
    while (open.length > 0) loadsWell(open.shift());
    for (const { runner } of runners) runner.gone?.();
    // Pins would keep others out forever, as they should.
    for (const { artifact, pinned } of pool.status()) if (pinned) stops.push(pool.stop(artifact));
    for (const request of requests.filter(isServed)) release(request);
    await tick();
    check();
  }
}

function isServed({ outcome }: Request): boolean {
  return outcome === 'granted';
}

function pick<Item>(items: readonly Item[], number: number): Item | undefined {
  return items[number % Math.max(1, items.length)];
}

function take<Item>(items: Item[], number: number): Item | undefined {
  return items.splice(number % Math.max(1, items.length), 1)[0];
}
