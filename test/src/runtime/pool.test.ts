import { describe, expect, test } from 'vitest';
import type { ModelManifest } from '../../../src/runtime/manifest.ts';
import { createPool } from '../../../src/runtime/pool.ts';
import type { Runner } from '../../../src/runtime/runner.ts';
import { settableClock } from '../../helpers/clock.ts';

const never = new AbortController().signal;

function manifest(id: string, path = `/${id}`): ModelManifest {
  const rest = { path, bytes: 1, contextTokensMax: 64, licence: 'none' };
  return { id, name: id, engine: 'llama', tasks: ['chat'], services: [], tier: 'imported', ...rest };
}

/** A pool whose loads succeed, fail and crash when the test says so. */
function scriptedPool({ slots = 2, queueMax = 4 } = {}) {
  const loads: { id: string; succeed: () => Scripted; fail: (error: Error) => void }[] = [];
  const pool = createPool({
    slots,
    queueMax,
    clock: settableClock(),
    start: (model) =>
      new Promise<Runner>((resolve, reject) => {
        loads.push({ id: model.id, fail: reject, succeed: () => deliver(resolve) });
      }),
  });
  return { pool, loads };
}

type Scripted = { crash: () => void; disposed: () => boolean };

function deliver(resolve: (runner: Runner) => void): Scripted {
  const state = { alive: true, disposed: false };
  let end!: () => void;
  const exited = new Promise<never>((done) => (end = done as () => void));
  const stop = () => {
    state.alive = false;
    end();
  };
  resolve({
    pid: 1,
    exited,
    memoryBytes: 0,
    description: { slots: 2, contextTokens: 64, threads: 1, device: 'none' },
    get alive() {
      return state.alive;
    },
    [Symbol.asyncDispose]: async () => {
      state.disposed = true;
      stop();
    },
  });
  return { crash: stop, disposed: () => state.disposed };
}

describe('the pool', () => {
  test('loads a model once for all who ask at the same time', async () => {
    const { pool, loads } = scriptedPool();
    const asking = Array.from({ length: 5 }, () => pool.ready(manifest('a'), never));
    await tick();
    expect(loads).toHaveLength(1);
    loads[0]?.succeed();
    const runners = await Promise.all(asking);
    expect(new Set(runners).size).toBe(1);
  });

  test('tells everybody who waits when the load fails, and tries again for the next', async () => {
    const { pool, loads } = scriptedPool();
    const asking = [pool.ready(manifest('a'), never), pool.ready(manifest('a'), never)];
    await tick();
    loads[0]?.fail(new Error('broken file'));
    for (const waiting of asking) await expect(waiting).rejects.toThrow('broken file');
    expect(pool.status()).toEqual([]);
    const again = pool.ready(manifest('a'), never);
    await tick();
    loads[1]?.succeed();
    await again;
  });

  test('does not let one who leaves disturb the others', async () => {
    const { pool, loads } = scriptedPool();
    const controller = new AbortController();
    const leaving = pool.ready(manifest('a'), controller.signal);
    const staying = pool.ready(manifest('a'), never);
    controller.abort(new Error('left'));
    await expect(leaving).rejects.toThrow('left');
    loads[0]?.succeed();
    expect((await staying).alive).toBe(true);
  });

  test('starts a crashed model again for the next request', async () => {
    const { pool, loads } = scriptedPool();
    const first = pool.ready(manifest('a'), never);
    await tick();
    loads[0]?.succeed().crash();
    await first;
    await tick();
    expect(pool.status()).toEqual([]);
    const second = pool.ready(manifest('a'), never);
    await tick();
    expect(loads).toHaveLength(2);
    loads[1]?.succeed();
    expect((await second).alive).toBe(true);
  });

  test('gives who waited for a slot the runner that is alive by then', async () => {
    const { pool, loads } = scriptedPool({ slots: 1 });
    const holding = pool.slot(manifest('a'), never);
    await tick();
    const crashing = loads[0]?.succeed();
    const held = await holding;
    const waiting = pool.slot(manifest('a'), never);
    crashing?.crash();
    held[Symbol.dispose]();
    await tick();
    loads[1]?.succeed();
    const next = await waiting;
    expect(next.runner.alive).toBe(true);
    expect(pool.status()).toMatchObject([{ busy: 1, queued: 0 }]);
    next[Symbol.dispose]();
    next[Symbol.dispose]();
    expect(pool.status()).toMatchObject([{ busy: 0 }]);
  });

  test('stops a model after its requests, while newcomers get a fresh one', async () => {
    const { pool, loads } = scriptedPool();
    const holding = pool.slot(manifest('a'), never);
    await tick();
    const old = loads[0]?.succeed();
    const held = await holding;
    const stopping = pool.stop('a');
    await tick();
    expect(old?.disposed()).toBe(false);
    const fresh = pool.ready(manifest('a'), never);
    await tick();
    expect(loads).toHaveLength(2);
    loads[1]?.succeed();
    await fresh;
    held[Symbol.dispose]();
    expect(await stopping).toBe(true);
    expect(old?.disposed()).toBe(true);
    expect(await pool.stop('nobody')).toBe(false);
  });

  test('serves the new file when an id points to another one', async () => {
    const { pool, loads } = scriptedPool();
    const first = pool.ready(manifest('a', '/old'), never);
    await tick();
    const old = loads[0]?.succeed();
    await first;
    void pool.ready(manifest('a', '/new'), never);
    await tick();
    expect(loads).toHaveLength(2);
    expect(old?.disposed()).toBe(true);
    loads[1]?.succeed();
  });

  test('closes what is loaded and refuses what comes after', async () => {
    const { pool, loads } = scriptedPool();
    const first = pool.ready(manifest('a'), never);
    await tick();
    const runner = loads[0]?.succeed();
    await first;
    await pool.close();
    expect(runner?.disposed()).toBe(true);
    await expect(pool.ready(manifest('a'), never)).rejects.toMatchObject({ code: 'shutting_down' });
  });
});

async function tick(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
