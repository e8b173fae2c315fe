import { expect, test } from 'vitest';
import { createMemoryNeeds } from '../../../src/library/memory-needs.ts';
import type { ModelManifest } from '../../../src/runtime/manifest.ts';
import { openAccounts } from '../../helpers/accounts/accounts.ts';
import { randomModel } from '../../helpers/models/models.ts';

const LAYERS = 2;
/** Which of the 512 tokens of a batch may attend to a token of the context, in 16 bits each. */
const MASK = 512 * 2;
const ELEMENTS_PER_TOKEN = LAYERS * 2 * (2 * 8);

async function manifest(): Promise<ModelManifest> {
  const { path } = await randomModel('llama');
  const rest = { path, bytes: 1, contextTokensMax: 8192, licence: 'none' };
  return { id: 'm', name: 'm', engine: 'llama', tasks: ['chat'], services: [], tier: 'imported', ...rest };
}

test('a context in fewer bits is estimated to take less memory', async () => {
  const needs = createMemoryNeeds(openAccounts());
  const model = await manifest();
  const cacheOf = (cacheType: 'f16' | 'q8_0' | 'q4_0', contextTokens: number) =>
    needs.estimate(model, { contextTokens, slots: 4, cacheType }).cache;
  const bytesPerToken = (type: 'f16' | 'q8_0' | 'q4_0') => (cacheOf(type, 6144) - cacheOf(type, 2048)) / 4096;
  expect(bytesPerToken('f16')).toBe(MASK + 4 * ELEMENTS_PER_TOKEN * 2);
  expect(bytesPerToken('q8_0')).toBe(MASK + 4 * ELEMENTS_PER_TOKEN * (34 / 32));
  expect(bytesPerToken('q4_0')).toBe(MASK + 4 * ELEMENTS_PER_TOKEN * (18 / 32));
});

test('a measurement with one type of context says nothing about another type', async () => {
  const needs = createMemoryNeeds(openAccounts());
  const model = await manifest();
  const load = { contextTokens: 2048, slots: 4, cacheType: 'f16' as const };
  needs.keep(model, load, { ram: 5, vram: 6, device: 'cpu' });
  expect(needs.measured(model, load)).toMatchObject({ ram: 5, vram: 6 });
  expect(needs.measured(model, { ...load, cacheType: 'q8_0' })).toBeUndefined();
});

test('layers that see only a window take no more than that, however long the context is', async () => {
  const needs = createMemoryNeeds(openAccounts());
  const model = { ...(await manifest()), path: (await randomModel('cohere2')).path };
  const cacheOf = (contextTokens: number) =>
    needs.estimate(model, { contextTokens, slots: 4, cacheType: 'f16' }).cache;
  expect((cacheOf(6144) - cacheOf(2048)) / 4096).toBe(MASK);
});

test('without flash attention the scores of every head are in memory', async () => {
  const needs = createMemoryNeeds(openAccounts());
  const model = await manifest();
  const load = { contextTokens: 2048, slots: 1, cacheType: 'f16' as const };
  const [off, on] = (['off', 'on'] as const).map(
    (flashAttention) => needs.estimate(model, { ...load, flashAttention }).cache,
  );
  expect((off ?? 0) - (on ?? 0)).toBeGreaterThan(2048 * 512 * 4);
});
