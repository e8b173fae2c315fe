import { describe, expect, test } from 'vitest';
import { Failure } from '../../../../src/base/errors.ts';
import type { ModelManifest } from '../../../../src/runtime/manifest.ts';
import { chooseDevices, findChosen } from '../../../../src/runtime/devices/choose-devices.ts';
import { onCards } from '../../../../src/runtime/devices/device.ts';
import { scriptedDevices } from '../../../helpers/models/devices.ts';

const found = scriptedDevices([
  { name: 'NVIDIA GeForce RTX 4090' },
  { name: 'NVIDIA GeForce RTX 3090' },
  { name: 'NVIDIA GeForce RTX 4090', backend: 'vulkan' },
  { name: 'AMD Radeon RX 7900 XTX', backend: 'vulkan', selector: '2' },
]);

function refusal(act: () => unknown): Failure {
  try {
    act();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error('It was not refused');
}

describe('a device is named', () => {
  test('by its number, by a part of its name in any case, and with its backend', () => {
    const chosen = (...wanted: string[]) => chooseDevices(wanted, found).map(({ index }) => index);
    expect(chosen('1')).toEqual([1]);
    expect(chosen('rtx 3090')).toEqual([1]);
    expect(chosen(' radeon ')).toEqual([3]);
    expect(chosen('3090')).toEqual([1]);
    expect(chosen('vulkan nvidia')).toEqual([2]);
    expect(chosen('1', 'cuda nvidia geforce rtx 4090')).toEqual([1, 0]);
  });

  test.each([
    [['42'], 'There is no device 42. This machine has 0 (cuda NVIDIA GeForce RTX 4090)'],
    [['arc'], 'No device has "arc" in its name'],
    [[''], 'No device has "" in its name'],
    [['4090'], 'is in the names of 0 (cuda NVIDIA GeForce RTX 4090) and 2 (vulkan NVIDIA GeForce RTX 4090)'],
    [['0', '3'], 'have different backends'],
    [['0', '0'], 'Device 0 (cuda NVIDIA GeForce RTX 4090) is named twice'],
  ])('and refused if called %j, with the reason and the list', (wanted, reason) => {
    const { code, message, details } = refusal(() => chooseDevices(wanted, found));
    expect([code, details['fix']]).toEqual(['invalid_value', 'askd devices']);
    expect(message).toContain(reason);
  });

  test('and refused if there is none', () => {
    const { message, details } = refusal(() => chooseDevices(['0'], []));
    expect([message, details['fix']]).toEqual([
      'This machine has no graphics card that the engine can use.',
      'askd doctor',
    ]);
  });
});

test("a runner sees only the chosen cards, in order, by their driver's numbers", () => {
  expect(onCards([found[3], found[2]].filter((card) => card !== undefined))).toEqual({
    backend: 'vulkan',
    environment: { GGML_VK_VISIBLE_DEVICES: '2,0' },
  });
  expect(onCards(found.slice(0, 2))?.environment).toEqual({ CUDA_VISIBLE_DEVICES: '0,1' });
  expect(onCards([])).toBeUndefined();
});

test('a model is not loaded on another card instead of the chosen one', () => {
  const manifest = { id: 'm' } as ModelManifest;
  const chosen = [{ backend: 'cuda', place: 1, name: 'NVIDIA GeForce RTX 3090' }] as const;
  expect(findChosen(manifest, chosen, found)).toEqual([found[1]]);
  for (const others of [scriptedDevices([{}, {}]), []]) {
    const { code, message, details } = refusal(() => findChosen(manifest, chosen, others));
    expect([code, details['fix']]).toEqual(['model_load_failed', 'askd place m --devices auto']);
    expect(message).toContain('"m" is placed on cuda NVIDIA GeForce RTX 3090, which is not present now.');
  }
});
