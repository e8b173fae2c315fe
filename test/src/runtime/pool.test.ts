import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Failure } from '../../../src/base/errors.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { manifestOf, scriptedPool, tick } from '../../helpers/models/scripted-pool.ts';

const never = new AbortController().signal;

describe('the pool', () => {
  test('loads a model once for all requests at the same time', async () => {
    const { pool, loads } = scriptedPool();
    const asking = Array.from({ length: 5 }, () => pool.lease(manifestOf('a'), never));
    await tick();
    expect(loads).toHaveLength(1);
    loads[0]?.succeed();
    const leases = await Promise.all(asking);
    expect(new Set(leases.map(({ runner }) => runner)).size).toBe(1);
  });

  test('fails every waiting request when the load fails, and tries again for the next', async () => {
    const { pool, loads, events } = scriptedPool();
    const asking = [pool.lease(manifestOf('a'), never), pool.lease(manifestOf('a'), never)];
    await tick();
    loads[0]?.fail(new Failure('model_load_failed', 'broken file'));
    for (const waiting of asking) await expect(waiting).rejects.toThrow('broken file');
    expect(pool.status()).toEqual([]);
    expect(events).toMatchObject([{ type: 'load_failed', failure: { code: 'model_load_failed' } }]);
    const again = pool.lease(manifestOf('a'), never);
    await tick();
    loads[1]?.succeed();
    await again;
  });

  test('is unaffected when one of several waiting requests is cancelled', async () => {
    const { pool, loads } = scriptedPool();
    const controller = new AbortController();
    const leaving = pool.lease(manifestOf('a'), controller.signal);
    const staying = pool.lease(manifestOf('a'), never);
    controller.abort(new Error('left'));
    await expect(leaving).rejects.toThrow('left');
    loads[0]?.succeed();
    expect((await staying).runner.alive).toBe(true);
    expect(pool.status()).toMatchObject([{ queued: 1 }]);
  });

  test('starts a crashed model again for the next request', async () => {
    const { pool, loads, events } = scriptedPool();
    const first = pool.lease(manifestOf('a'), never);
    await tick();
    const runner = loads[0]?.succeed();
    (await first)[Symbol.dispose]();
    runner?.crash();
    await tick();
    expect(pool.status()).toEqual([]);
    expect(events.at(-1)).toMatchObject({ type: 'unloaded', reason: 'crashed' });
    const second = pool.lease(manifestOf('a'), never);
    await tick();
    expect(loads).toHaveLength(2);
    loads[1]?.succeed();
    expect((await second).runner.alive).toBe(true);
  });

  test('gives a request that waited for a slot the runner that is alive by then', async () => {
    const { pool, loads } = scriptedPool({ slotsOf: () => 1 });
    const asking = [pool.lease(manifestOf('a'), never), pool.lease(manifestOf('a'), never)];
    await tick();
    const crashing = loads[0]?.succeed();
    const [held, waits] = await Promise.all(asking);
    await held?.slot(never);
    const waiting = waits?.slot(never);
    crashing?.crash();
    held?.[Symbol.dispose]();
    await tick();
    loads[1]?.succeed();
    expect((await waiting)?.alive).toBe(true);
    expect(pool.status()).toMatchObject([{ busy: 1, queued: 0 }]);
    waits?.[Symbol.dispose]();
    waits?.[Symbol.dispose]();
    expect(pool.status()).toMatchObject([{ busy: 0, queued: 0 }]);
  });

  test('refuses more requests for a model than its slots and queue hold, also while it loads', async () => {
    const { pool, loads } = scriptedPool({ queueMax: 1 });
    const asking = [1, 2, 3].map(() => pool.lease(manifestOf('a'), never));
    await expect(pool.lease(manifestOf('a'), never)).rejects.toMatchObject({ code: 'queue_full' });
    loads[0]?.succeed();
    const [first] = await Promise.all(asking);
    await expect(pool.lease(manifestOf('a'), never)).rejects.toMatchObject({ code: 'queue_full' });
    first?.[Symbol.dispose]();
    await pool.lease(manifestOf('a'), never);
  });

  test('stops a model after its requests, and loads it again for those that come meanwhile', async () => {
    const { pool, loads } = scriptedPool();
    const holding = pool.lease(manifestOf('a'), never);
    await tick();
    const old = loads[0]?.succeed();
    const held = await holding;
    const stopping = pool.stop('a');
    const fresh = pool.lease(manifestOf('a'), never);
    await tick();
    expect([old?.isDisposed(), loads.length]).toEqual([false, 1]);
    held[Symbol.dispose]();
    expect(await stopping).toBe(true);
    await tick();
    expect(old?.isDisposed()).toBe(true);
    loads[1]?.succeed();
    expect((await fresh).runner.alive).toBe(true);
    expect(await pool.stop('nobody')).toBe(false);
  });

  test('serves the new file when an id points to another one', async () => {
    const { pool, loads } = scriptedPool();
    const first = pool.lease(manifestOf('a', '/old'), never);
    await tick();
    const old = loads[0]?.succeed();
    (await first)[Symbol.dispose]();
    void pool.lease(manifestOf('a', '/new'), never);
    await tick();
    expect(loads).toHaveLength(2);
    expect(old?.isDisposed()).toBe(true);
    loads[1]?.succeed();
  });

  test('serves a file that was imported again as another kind of model', async () => {
    const { pool, loads } = scriptedPool();
    const first = pool.lease(manifestOf('a'), never);
    await tick();
    const old = loads[0]?.succeed();
    (await first)[Symbol.dispose]();
    void pool.lease({ ...manifestOf('a'), tasks: ['embed'] }, never);
    await tick();
    expect([loads.length, old?.isDisposed()]).toEqual([2, true]);
    loads[1]?.succeed();
  });

  test('closes loaded models, refuses waiting and later requests, and aborts loads', async () => {
    const { pool, loads } = scriptedPool();
    const first = pool.lease(manifestOf('a'), never);
    const second = pool.lease(manifestOf('b'), never);
    await tick();
    const runner = loads[0]?.succeed();
    await first;
    await Promise.all([pool.close(), expect(second).rejects.toMatchObject({ code: 'shutting_down' })]);
    expect([runner?.isDisposed(), loads[1]?.aborted()]).toEqual([true, true]);
    await expect(pool.lease(manifestOf('a'), never)).rejects.toMatchObject({ code: 'shutting_down' });
  });
});

describe('time', () => {
  function withFakeTimers() {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    onTestFinished(() => void vi.useRealTimers());
    return { ...systemClock, advance: (ms: number) => void vi.advanceTimersByTime(ms) };
  }

  test('unloads an unused model, counted from its last use', async () => {
    const scripted = scriptedPool({ clock: withFakeTimers(), keepAliveMs: 1000 });
    const asking = scripted.pool.lease(manifestOf('a'), never);
    await tick();
    const runner = scripted.loads[0]?.succeed();
    const lease = await asking;
    scripted.clock.advance(5000);
    expect(scripted.pool.status()).toMatchObject([{ expires_at: null }]);
    lease[Symbol.dispose]();
    const [status] = scripted.pool.status();
    expect(Date.parse(status?.expires_at ?? '') - Date.now()).toBe(1000);
    scripted.clock.advance(999);
    expect(runner?.isDisposed()).toBe(false);
    scripted.clock.advance(2);
    await tick();
    expect(runner?.isDisposed()).toBe(true);
    expect(scripted.events.at(-1)).toMatchObject({ type: 'unloaded', reason: 'expired' });
  });

  test('and a pin still apply when the model is loaded again after a crash, until it is stopped', async () => {
    const { pool, loads, clock } = scriptedPool({ keepAliveMs: 1000 });
    const loaded = async (asking: Promise<unknown>) => {
      await tick();
      const runner = loads.at(-1)?.succeed();
      return { runner, result: await asking };
    };
    const serveAfterCrash = async (runner: { crash: () => void } | undefined) => {
      runner?.crash();
      await tick();
      expect(pool.status()).toEqual([]);
      const asking = pool.lease(manifestOf('a'), never);
      const again = await loaded(asking);
      (await asking)[Symbol.dispose]();
      return again.runner;
    };
    const first = await loaded(pool.load(manifestOf('a'), { isPinned: true }, never));
    const second = await serveAfterCrash(first.runner);
    expect(pool.status()).toMatchObject([{ artifact: 'a', pinned: true, expires_at: null }]);
    await pool.load(manifestOf('a'), { isPinned: false, keepAliveMs: 60_000 }, never);
    await serveAfterCrash(second);
    const [{ expires_at: expiresAt, pinned } = {}] = pool.status();
    expect([pinned, Date.parse(expiresAt ?? '') - clock.now()]).toEqual([false, 60_000]);
    await pool.stop('a');
    await loaded(pool.load(manifestOf('a'), {}, never));
    expect(Date.parse(pool.status()[0]?.expires_at ?? '') - clock.now()).toBe(1000);
  });

  test('can be chosen by an explicit load, and 0 means after each use', async () => {
    const scripted = scriptedPool({ clock: withFakeTimers(), keepAliveMs: 1000 });
    const loading = scripted.pool.load(manifestOf('a'), { keepAliveMs: 60_000 }, never);
    await tick();
    const runner = scripted.loads[0]?.succeed();
    await loading;
    scripted.clock.advance(59_000);
    await tick();
    expect(runner?.isDisposed()).toBe(false);
    await scripted.pool.load(manifestOf('a'), { keepAliveMs: 0 }, never);
    await tick();
    expect(runner?.isDisposed()).toBe(true);
  });

  test('that a request may wait is bounded, and the load continues without it', async () => {
    const scripted = scriptedPool({ clock: withFakeTimers(), waitMs: 3000 });
    const asking = scripted.pool.lease(manifestOf('a'), never);
    const refused = expect(asking).rejects.toMatchObject({
      code: 'model_loading',
      retryAfterSeconds: 5,
      details: { progress: 0.42 },
    });
    scripted.loads[0]?.progress(0.42);
    scripted.clock.advance(3000);
    await refused;
    scripted.loads[0]?.succeed();
    await tick();
    expect((await scripted.pool.lease(manifestOf('a'), never)).runner.alive).toBe(true);
    expect(scripted.loads).toHaveLength(1);
  });

  test('that runs out while a request waits for memory takes it out of the queue', async () => {
    const scripted = scriptedPool({ clock: withFakeTimers(), waitMs: 3000, sizes: { a: 900, b: 900 } });
    const holding = scripted.pool.lease(manifestOf('a'), never);
    await tick();
    scripted.loads[0]?.succeed();
    const held = await holding;
    const asking = scripted.pool.lease(manifestOf('b'), never);
    const refused = expect(asking).rejects.toMatchObject({ code: 'model_loading' });
    expect(scripted.pool.status()).toMatchObject([{ state: 'loaded' }, { state: 'waiting', queued: 1 }]);
    scripted.clock.advance(3000);
    await refused;
    expect(scripted.pool.status()).toHaveLength(1);
    held[Symbol.dispose]();
    await tick();
    expect(scripted.loads).toHaveLength(1);
    await scripted.pool.lease(manifestOf('a'), never);
  });
});
