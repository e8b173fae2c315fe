import { expect, test } from 'vitest';
import type { Device } from '../../../src/runtime/devices/device.ts';
import { budgetOf, spread } from '../../../src/runtime/memory.ts';
import { scriptedDevices } from '../../helpers/models/devices.ts';
import { manifestOf, scriptedPool, tick } from '../../helpers/models/scripted-pool.ts';

const never = new AbortController().signal;
const [left, right] = scriptedDevices([
  { totalBytes: 2000, freeBytes: 1000 },
  { totalBytes: 2000, freeBytes: 1000 },
]) as [Device, Device];

/** Models of 600 bytes on the cards that are named for them. */
function poolOn(cards: Record<string, readonly Device[]>) {
  const scripted = scriptedPool({
    placeOf: ({ id }) => ({ cards: cards[id] ?? [] }),
    needOf: (_, __, ___, place) => ({ ram: 1, vram: spread(600, place.cards) }),
    budget: () => budgetOf(1000, [left, right]),
  });
  const load = async (id: string) => {
    const asking = scripted.pool.lease(manifestOf(id), never);
    await tick();
    scripted.loads.findLast((one) => one.id === id)?.succeed({ ram: 1, vram: 600 });
    (await asking)[Symbol.dispose]();
    scripted.clock.advance(1);
  };
  const inMemory = () => scripted.pool.status().map(({ artifact }) => artifact);
  return { ...scripted, load, inMemory };
}

test('a model makes room on its own card, even if another one was unused for longer', async () => {
  const { load, inMemory } = poolOn({ a: [left], b: [right], c: [right] });
  await load('a');
  await load('b');
  await load('c');
  expect(inMemory()).toEqual(['a', 'c']);
});

test('a model on both cards makes room on both, and says what it uses of each', async () => {
  const { load, inMemory, pool } = poolOn({ a: [left], b: [right], both: [left, right] });
  await load('a');
  await load('b');
  await load('both');
  // 300 bytes on each card fit beside 600.
  expect(inMemory()).toEqual(['a', 'b', 'both']);
  expect(pool.status()[2]?.cards).toMatchObject([
    { index: 0, bytes: 300 },
    { index: 1, bytes: 300 },
  ]);
});

test('a model that its card cannot hold is refused with the number of the card, and another continues', async () => {
  const { pool, load } = poolOn({ pinned: [left], a: [left], b: [right] });
  const pinning = pool.load(manifestOf('pinned'), { isPinned: true }, never);
  await load('pinned');
  await pinning;
  await expect(pool.lease(manifestOf('a'), never)).rejects.toThrow(
    '"a" needs 1 MB of memory on device 0 and 1 MB can be freed for it.',
  );
  await load('b');
});

test('a model that cannot be placed is refused without affecting others', async () => {
  const { pool } = scriptedPool({
    placeOf: ({ id }) => {
      if (id === 'lost') throw new Error('its card is gone');
      return { cards: [] };
    },
  });
  await expect(pool.lease(manifestOf('lost'), never)).rejects.toThrow('its card is gone');
  const other = pool.lease(manifestOf('other'), never);
  await tick();
  expect(pool.status().map(({ artifact, state }) => [artifact, state])).toContainEqual(['other', 'loading']);
  await pool.close();
  await expect(other).rejects.toThrow();
});
