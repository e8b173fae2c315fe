import { describe, expect, test } from 'vitest';
import { Failure } from '../../../src/base/errors.ts';
import { manifestOf, scriptedPool, tick } from '../../helpers/models/scripted-pool.ts';

const never = new AbortController().signal;
const chosen8192 = { contextTokens: 8192, slots: 2, isAutomatic: false, reason: 'chosen' };
const outOfMemory = () => new Failure('insufficient_memory', 'no room');

describe('memory', () => {
  const sizes = { a: 600, b: 600, c: 300, huge: 2000 };

  async function loadNow(scripted: ReturnType<typeof scriptedPool>, id: string) {
    const asking = scripted.pool.lease(manifestOf(id), never);
    await tick();
    scripted.loads.findLast((load) => load.id === id)?.succeed();
    return asking;
  }

  test('is freed by the model that was unused longest', async () => {
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

  test('goes to waiting requests before new ones for the model that has it', async () => {
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

  test('is kept by a newly loaded model until its turn is over', async () => {
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

  test('of a pinned model is never taken, and a request that cannot get enough is told what there is', async () => {
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

  test('that runs out despite the estimate evicts the others, shrinks the context and tries once more', async () => {
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

  test('that is still missing on the second try fails the request', async () => {
    const { pool, loads } = scriptedPool({ contextOf: () => chosen8192 });
    const asking = pool.lease(manifestOf('a'), never);
    await tick();
    loads[0]?.fail(outOfMemory());
    await tick();
    expect(loads[1]?.contextTokens).toBe(8192);
    loads[1]?.fail(outOfMemory());
    await expect(asking).rejects.toMatchObject({ code: 'insufficient_memory' });
    expect(pool.status()).toEqual([]);
  });

  test('is measured after the load, and more than expected evicts unused models', async () => {
    const scripted = scriptedPool({ sizes: { a: 500, b: 100 } });
    (await loadNow(scripted, 'a'))[Symbol.dispose]();
    const asking = scripted.pool.lease(manifestOf('b'), never);
    await tick();
    scripted.loads[1]?.succeed({ ram: 700, vram: 0 });
    await asking;
    await tick();
    expect(scripted.inUse()).toBe(700);
  });

  test('decides the length of a context that is not configured', async () => {
    const needOf = (_: unknown, contextTokens: number) => ({ ram: contextTokens, vram: {} });
    const automatic = scriptedPool({ needOf, budgetRam: 5000 });
    void automatic.pool.lease(manifestOf('a'), never);
    expect(automatic.loads[0]?.contextTokens).toBe(4096);
    const chosen = scriptedPool({ needOf, budgetRam: 5000, contextOf: () => chosen8192 });
    await expect(chosen.pool.lease(manifestOf('a'), never)).rejects.toMatchObject({
      code: 'insufficient_memory',
    });
    automatic.loads[0]?.succeed();
  });
});
