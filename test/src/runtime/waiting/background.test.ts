import { describe, expect, test } from 'vitest';
import { settableClock } from '../../../helpers/clock.ts';
import { manifestOf, scriptedPool, tick } from '../../../helpers/models/scripted-pool.ts';

const never = new AbortController().signal;
const a = manifestOf('a');
const b = manifestOf('b');

/** A background request, and whether it was asked to leave. */
function background() {
  const leaving = new AbortController();
  return { preempt: () => leaving.abort(new Error('preempted')), signal: leaving.signal };
}

function settled(promise: Promise<unknown>): () => boolean {
  let isSettled = false;
  const settle = () => void (isSettled = true);
  promise.then(settle, settle);
  return () => isSettled;
}

describe('a request that nobody waits for', () => {
  test('starts only while no other is in the pool, whatever its model', async () => {
    const { pool, loads } = scriptedPool();
    const first = pool.lease(b, never);
    await tick();
    const behind = settled(pool.lease(a, never, background()));
    await tick();
    expect(loads.map(({ id }) => id)).toEqual(['b']);
    loads[0]?.succeed();
    const held = await first;
    await tick();
    expect(loads).toHaveLength(1);
    held[Symbol.dispose]();
    await tick();
    expect(loads.map(({ id }) => id)).toEqual(['b', 'a']);
    loads[1]?.succeed();
    await tick();
    expect(behind()).toBe(true);
  });

  test('does not wait for requests on other servers', async () => {
    const { pool, loads } = scriptedPool();
    void pool.lease({ ...b, engine: 'upstream' }, never);
    void pool.lease(a, never, background());
    await tick();
    expect(loads.map(({ id }) => id)).toEqual(['b', 'a']);
  });

  test('leaves one of two slots free, and gives up the only one when it is needed', async () => {
    const { pool, loads } = scriptedPool({ slotsOf: () => 2 });
    const users = [background(), background()];
    const leases = users.map((user) => pool.lease(a, never, user));
    await tick();
    loads[0]?.succeed();
    const [first, second] = await Promise.all(leases);
    await first?.slot(never);
    const waits = settled(second?.slot(never) ?? Promise.resolve());
    await tick();
    expect(waits()).toBe(false);
    const others = await Promise.all([pool.lease(a, never), pool.lease(a, never)]);
    await others[0].slot(never);
    expect(users[0]?.signal.aborted).toBe(false);
    const last = others[1].slot(never);
    expect(users.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    first?.[Symbol.dispose]();
    await last;
    expect(waits()).toBe(false);
  });

  test('gives the memory of its model to a request for another', async () => {
    const { pool, loads } = scriptedPool({ sizes: { a: 600, b: 600 } });
    const user = background();
    const leasing = pool.lease(a, never, user);
    await tick();
    loads[0]?.succeed();
    const lease = await leasing;
    const other = pool.lease(b, never);
    expect(user.signal.aborted).toBe(true);
    lease[Symbol.dispose]();
    await tick();
    expect(loads.map(({ id }) => id)).toEqual(['a', 'b']);
    loads[1]?.succeed();
    expect((await other).runner.alive).toBe(true);
  });

  test('evicts no recently used model', async () => {
    const clock = settableClock();
    const { pool, loads } = scriptedPool({ sizes: { a: 600, b: 600 }, clock });
    const leasing = pool.lease(b, never);
    await tick();
    loads[0]?.succeed();
    (await leasing)[Symbol.dispose]();
    const gone = new AbortController();
    const waiting = pool.lease(a, gone.signal, background());
    await tick();
    expect(loads).toHaveLength(1);
    gone.abort(new Error('cancelled'));
    await expect(waiting).rejects.toThrow('cancelled');
    clock.advance(120_000);
    void pool.lease(a, never, background());
    await tick();
    expect(loads.map(({ id }) => id)).toEqual(['b', 'a']);
  });

  test('takes no place in the queue from others', async () => {
    const { pool, loads } = scriptedPool({ slotsOf: () => 1, queueMax: 0 });
    const leasing = pool.lease(a, never, background());
    await tick();
    loads[0]?.succeed();
    await leasing;
    const other = await pool.lease(a, never);
    expect(other.runner.alive).toBe(true);
    await expect(pool.lease(a, never)).rejects.toThrow('busy');
  });
});
