import { describe, expect, test } from 'vitest';
import { composeDevices } from '../../../daemon/compose/devices.ts';
import type { ModelManifest } from '../../../src/runtime/manifest.ts';
import { budgetOf } from '../../../src/runtime/memory.ts';
import { scriptedDevices } from '../../helpers/models/devices.ts';
import { manifestOf } from '../../helpers/models/scripted-pool.ts';

const GB = 1e9;
const found = scriptedDevices([
  { name: 'Large', totalBytes: 24 * GB },
  { name: 'Small', totalBytes: 8 * GB },
  { name: 'Software', backend: 'vulkan', totalBytes: 2 * GB, isAutomatic: false },
]);

/** Where a model of this many gigabytes goes, with this setting. */
async function placing(defaultDevices: string, cards = found) {
  const devices = composeDevices({ settings: { defaultDevices }, find: () => Promise.resolve(cards) });
  await devices.prepare(manifestOf('m'));
  return (gigabytes: number, given: Partial<ModelManifest> = {}) => {
    const memory = { bytes: gigabytes * GB, free: budgetOf(0, cards), room: budgetOf(0, cards) };
    const place = devices.placeOf({ ...manifestOf('m'), ...given }, memory);
    return { cards: place.cards.map(({ name }) => name), devices: place.devices };
  };
}

const sees = (numbers: string) => ({ backend: 'cuda', environment: { CUDA_VISIBLE_DEVICES: numbers } });

describe('default_devices', () => {
  test('auto gives a model the best card that holds it, and all cards if none does', async () => {
    const place = await placing('auto');
    expect(place(4)).toEqual({ cards: ['Large'], devices: sees('0') });
    expect(place(40)).toEqual({ cards: ['Large', 'Small'], devices: undefined });
  });

  test('all lets the engine use what it finds', async () => {
    expect((await placing('all'))(4)).toEqual({ cards: ['Large', 'Small'], devices: undefined });
  });

  test('names cards as askd place does, and is refused with the fix where one is missing', async () => {
    expect((await placing('small'))(4)).toEqual({ cards: ['Small'], devices: sees('1') });
    expect((await placing('1,0'))(4)).toEqual({ cards: ['Small', 'Large'], devices: sees('1,0') });
    const place = await placing('5090');
    expect(() => place(4)).toThrow('The setting default_devices is 5090. There is no device 5090.');
  });
});

test('a placement takes precedence over the setting, and no card is looked for if no layer goes there', async () => {
  const place = await placing('small');
  const software = [{ backend: 'vulkan', place: 0, name: 'Software' }] as const;
  expect(place(4, { placement: { devices: software } })).toEqual({
    cards: ['Software'],
    devices: { backend: 'vulkan', environment: { GGML_VK_VISIBLE_DEVICES: '0' } },
  });
  expect(place(4, { placement: { gpuLayers: 0 } })).toEqual({
    cards: [],
    devices: { backend: 'cpu', environment: {} },
  });
  expect(place(4, { engine: 'upstream' })).toEqual({ cards: [], devices: undefined });
});

test('an engine that chooses its devices itself is counted on all that it may use', async () => {
  expect((await placing('small'))(4, { engine: 'diffusion' })).toEqual({
    cards: ['Large', 'Small'],
    devices: undefined,
  });
});
