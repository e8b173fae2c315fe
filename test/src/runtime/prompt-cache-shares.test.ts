import { expect, test } from 'vitest';
import { shareOf } from '../../../src/runtime/prompt-cache-shares.ts';
import { manifestOf, scriptedPool, tick, type ScriptedRunner } from '../../helpers/models/scripted-pool.ts';

const never = new AbortController().signal;

/** A pool with these models in memory, with the given sizes. */
async function poolWith(sizes: Record<string, number>) {
  const scripted = scriptedPool({ sizes, budgetRam: 100, promptCacheBytes: 50, hasPromptCaches: true });
  const { pool, loads } = scripted;
  const ask = (id: string) => pool.lease(manifestOf(id), never);
  async function load(id: string): Promise<ScriptedRunner> {
    const lease = ask(id);
    await tick();
    const runner = loads.at(-1)!.succeed();
    (await lease)[Symbol.dispose]();
    await tick();
    runner.confirm();
    return runner;
  }
  return { ...scripted, ask, load };
}

test.each([
  [{ free: 100, promptCacheBytes: 50, count: 1 }, 50],
  [{ free: 30, promptCacheBytes: 50, count: 1 }, 30],
  [{ free: 100, promptCacheBytes: 50, count: 3 }, 16],
  [{ free: -5, promptCacheBytes: 50, count: 1 }, 0],
  [{ free: 100, promptCacheBytes: 0, count: 1 }, 0],
  [{ free: 100, promptCacheBytes: 50, count: 0 }, 0],
])('of %o each cache may take %d', (sharing, bytes) => {
  expect(shareOf(sharing)).toBe(bytes);
});

test('a prompt cache may take the memory that models leave, up to the setting', async () => {
  const { load } = await poolWith({ small: 10, large: 70 });
  expect((await load('small')).limits).toEqual([50]);
  const alone = await poolWith({ large: 70 });
  expect((await alone.load('large')).limits).toEqual([30]);
});

test('memory is given back before another model starts to load, and the rest is shared', async () => {
  const { ask, load, loads, pool } = await poolWith({ a: 30, b: 60 });
  const a = await load('a');
  const lease = ask('b');
  await tick();
  expect(a.limits).toEqual([50, 10]);
  expect(loads.map(({ id }) => id)).toEqual(['a']);
  a.confirm();
  await tick();
  expect(loads.map(({ id }) => id)).toEqual(['a', 'b']);
  const b = loads.at(-1)!.succeed();
  (await lease)[Symbol.dispose]();
  await tick();
  a.confirm();
  await tick();
  expect([a.limits, b.limits]).toEqual([[50, 10, 5], [5]]);
  await pool.stop('b');
  await tick();
  expect(a.limits.at(-1)).toBe(50);
});

test('a runner that dies with memory to give back blocks nobody', async () => {
  const { ask, load, loads } = await poolWith({ a: 30, b: 60 });
  const a = await load('a');
  void ask('b');
  await tick();
  expect(a.limits.at(-1)).toBe(10);
  a.crash();
  a.confirm();
  await tick();
  expect(loads.map(({ id }) => id)).toEqual(['a', 'b']);
});
