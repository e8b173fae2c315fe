import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Failure } from '../../../src/errors.ts';
import { systemClock } from '../../../src/clock.ts';
import { manifestOf, scriptedPool, tick } from '../../helpers/scripted-pool.ts';

const never = new AbortController().signal;
const outOfMemory = () => new Failure('insufficient_memory', 'no room');

describe('the pool', () => {
  test('loads a model once for all who ask at the same time', async () => {
    const { pool, loads } = scriptedPool();
    const asking = Array.from({ length: 5 }, () => pool.lease(manifestOf('a'), never));
    await tick();
    expect(loads).toHaveLength(1);
    loads[0]?.succeed();
    const leases = await Promise.all(asking);
    expect(new Set(leases.map(({ runner }) => runner)).size).toBe(1);
  });

  test('tells everybody who waits when the load fails, and tries again for the next', async () => {
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

  test('does not let one who leaves disturb the others', async () => {
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

  test('gives who waited for a slot the runner that is alive by then', async () => {
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

  test('refuses more requests for a model than it has slots and places in its line, also while it loads', async () => {
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

  test('closes what is loaded, refuses who waits and what comes after, and gives up what loads', async () => {
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

describe('memory', () => {
  const sizes = { a: 600, b: 600, c: 300, huge: 2000 };

  async function loadNow(scripted: ReturnType<typeof scriptedPool>, id: string) {
    const asking = scripted.pool.lease(manifestOf(id), never);
    await tick();
    scripted.loads.findLast((load) => load.id === id)?.succeed();
    return asking;
  }

  test('is made by the model that was unused longest', async () => {
    const scripted = scriptedPool({ sizes: { a: 400, b: 400, c: 400 } });
    (await loadNow(scripted, 'a'))[Symbol.dispose]();
    scripted.clock.advance(1);
    (await loadNow(scripted, 'b'))[Symbol.dispose]();
    scripted.clock.advance(1);
    (await scripted.pool.lease(manifestOf('a'), never))[Symbol.dispose]();
    await loadNow(scripted, 'c');
    expect(scripted.pool.status().map(({ artifact }) => artifact)).toEqual(['a', 'c']);
    expect(scripted.events.filter(({ type }) => type === 'unloaded')).toMatchObject([
      { manifest: { id: 'b' }, reason: 'evicted' },
    ]);
  });

  test('that is in use is waited for, and a small model that fits does not wait behind a big one', async () => {
    const scripted = scriptedPool({ sizes });
    const { pool, loads } = scripted;
    const held = await loadNow(scripted, 'a');
    const big = pool.lease(manifestOf('b'), never);
    const small = await loadNow(scripted, 'c');
    expect(loads.map(({ id }) => id)).toEqual(['a', 'c']);
    small[Symbol.dispose]();
    held[Symbol.dispose]();
    await tick();
    expect(loads.map(({ id }) => id)).toEqual(['a', 'c', 'b']);
    loads[2]?.succeed();
    await big;
    expect(scripted.inUse()).toBe(900);
  });

  test('goes to who waits before it goes to newcomers of the model that has it', async () => {
    const scripted = scriptedPool({ sizes });
    const held = await loadNow(scripted, 'a');
    const other = scripted.pool.lease(manifestOf('b'), never);
    const newcomer = scripted.pool.lease(manifestOf('a'), never);
    held[Symbol.dispose]();
    await tick();
    scripted.loads[1]?.succeed();
    (await other)[Symbol.dispose]();
    await tick();
    expect(scripted.loads.map(({ id }) => id)).toEqual(['a', 'b', 'a']);
    scripted.loads[2]?.succeed();
    await newcomer;
  });

  test('is kept by a model that was just loaded until its turn is over', async () => {
    const scripted = scriptedPool({ sizes, turnMs: 5000 });
    const held = await loadNow(scripted, 'a');
    const other = scripted.pool.lease(manifestOf('b'), never);
    const welcome = await scripted.pool.lease(manifestOf('a'), never);
    scripted.clock.advance(5000);
    welcome[Symbol.dispose]();
    const waits = scripted.pool.lease(manifestOf('a'), never);
    held[Symbol.dispose]();
    await tick();
    scripted.loads[1]?.succeed();
    (await other)[Symbol.dispose]();
    await tick();
    scripted.loads[2]?.succeed();
    await waits;
  });

  test('of a pinned model is never taken, and who cannot have enough is told what is there', async () => {
    const scripted = scriptedPool({ sizes });
    const pinning = scripted.pool.load(manifestOf('a'), { isPinned: true }, never);
    await tick();
    scripted.loads[0]?.succeed();
    await pinning;
    await expect(scripted.pool.lease(manifestOf('b'), never)).rejects.toMatchObject({
      code: 'insufficient_memory',
      details: { need_bytes: 600, have_bytes: 400 },
    });
    expect(scripted.pool.status()).toMatchObject([{ artifact: 'a', pinned: true, expires_at: null }]);
    await expect(scripted.pool.lease(manifestOf('huge'), never)).rejects.toMatchObject({
      code: 'insufficient_memory',
    });
  });

  test('that ends in spite of the estimate makes the others leave, shrinks the context and tries once more', async () => {
    const scripted = scriptedPool({ sizes: { a: 1, b: 1 } });
    (await loadNow(scripted, 'a'))[Symbol.dispose]();
    const asking = scripted.pool.lease(manifestOf('b'), never);
    await tick();
    scripted.loads[1]?.fail(outOfMemory());
    await tick();
    expect(scripted.pool.status().map(({ artifact }) => artifact)).toEqual(['b']);
    expect(scripted.loads[2]).toMatchObject({ id: 'b', contextTokens: 4096 });
    scripted.loads[2]?.succeed();
    await asking;
  });

  test('that is not there at the second try either fails the request', async () => {
    const { pool, loads } = scriptedPool({ context: { tokens: 8192, isAutomatic: false } });
    const asking = pool.lease(manifestOf('a'), never);
    await tick();
    loads[0]?.fail(outOfMemory());
    await tick();
    expect(loads[1]?.contextTokens).toBe(8192);
    loads[1]?.fail(outOfMemory());
    await expect(asking).rejects.toMatchObject({ code: 'insufficient_memory' });
    expect(pool.status()).toEqual([]);
  });

  test('is measured after the load, and more than expected makes unused models leave', async () => {
    const scripted = scriptedPool({ sizes: { a: 500, b: 100 } });
    (await loadNow(scripted, 'a'))[Symbol.dispose]();
    const asking = scripted.pool.lease(manifestOf('b'), never);
    await tick();
    scripted.loads[1]?.succeed({ ram: 700, vram: 0 });
    await asking;
    await tick();
    expect(scripted.inUse()).toBe(700);
  });

  test('decides the length of a context that nobody chose', async () => {
    const needOf = (_: unknown, contextTokens: number) => ({ ram: contextTokens, vram: 0 });
    const automatic = scriptedPool({ needOf, budgetRam: 5000 });
    void automatic.pool.lease(manifestOf('a'), never);
    expect(automatic.loads[0]?.contextTokens).toBe(4096);
    const chosen = scriptedPool({ needOf, budgetRam: 5000, context: { tokens: 8192, isAutomatic: false } });
    await expect(chosen.pool.lease(manifestOf('a'), never)).rejects.toMatchObject({
      code: 'insufficient_memory',
    });
    automatic.loads[0]?.succeed();
  });
});

describe('time', () => {
  function withFakeTimers() {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    onTestFinished(() => void vi.useRealTimers());
    return { ...systemClock, advance: (ms: number) => void vi.advanceTimersByTime(ms) };
  }

  test('takes an unused model out of memory, counted from its last use', async () => {
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

  test('is what a load on purpose may choose, and 0 means after each use', async () => {
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

  test('that a request may wait is bounded, and the load goes on without it', async () => {
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

  test('that ends while it waits for memory takes a request out of the line', async () => {
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
