import { expect, test } from 'vitest';
import { createContexts } from '../../../daemon/compose/context.ts';
import { loadSettings, readEnvironment } from '../../../src/config/config.ts';
import type { Device } from '../../../src/runtime/devices/device.ts';
import type { ModelManifest } from '../../../src/runtime/manifest.ts';
import { budgetOf } from '../../../src/runtime/memory.ts';
import { scriptedDevices } from '../../helpers/models/devices.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const GB = 1e9;
const BYTES_PER_TOKEN = 131_072;
const manifest: ModelManifest = {
  ...{
    id: 'm',
    name: 'm',
    engine: 'llama',
    tasks: ['chat'],
    services: [],
    tier: 'imported',
    licence: 'none',
  },
  ...{ path: '/m', bytes: 5 * GB, contextTokensMax: 131_072 },
};

async function planOn(cards: readonly Device[], env: Record<string, string> = {}) {
  const budget = { ASKD_MEMORY_BUDGET_BYTES: String(64 * GB) };
  const settings = await loadSettings(readEnvironment({ ASKD_HOME: temporaryFolder(), ...budget, ...env }));
  const needs = {
    estimate: (
      { bytes }: ModelManifest,
      { contextTokens, slots }: { contextTokens: number; slots: number },
    ) => ({
      weights: bytes,
      cache: contextTokens * slots * BYTES_PER_TOKEN,
      overhead: 0.1 * GB,
    }),
  };
  const contexts = createContexts({ settings, needs });
  return (given: Partial<ModelManifest> = {}) =>
    contexts.planOf({ ...manifest, ...given }, budgetOf(64 * GB, cards), { cards });
}

const card = (gigabytes: number, isShared = false) =>
  scriptedDevices([{ totalBytes: gigabytes * GB, isShared }]);

test('a context gets fewer slots rather than leave the card that holds it', async () => {
  expect((await planOn(card(80)))()).toMatchObject({
    contextTokens: 126_976,
    slots: 4,
    reason: 'trained for 131,072; 126,976 fit in the memory of the graphics card with 4 slots',
  });
  expect((await planOn(card(24)))()).toMatchObject({ contextTokens: 61_440, slots: 2 });
});

test('a card that shares the machine’s memory counts as such, and leaves half of it free', async () => {
  const plan = (await planOn(card(64, true)))();
  expect(plan).toMatchObject({ contextTokens: 49_152, slots: 4 });
  expect(plan.reason).toContain('half of memory_budget_bytes');
});

test('configured slots stay', async () => {
  const plan = await planOn(card(24), { ASKD_MODEL_SLOTS: '4' });
  expect(plan()).toMatchObject({ contextTokens: 32_768, slots: 4 });
});

test('an embedding model has a short context, and one on another server has the length that server reports', async () => {
  const plan = await planOn([]);
  expect(plan({ tasks: ['embed'] })).toMatchObject({ contextTokens: 8192, slots: 4 });
  expect(plan({ engine: 'upstream' })).toMatchObject({
    contextTokens: 131_072,
    slots: 256,
    isAutomatic: false,
  });
});
