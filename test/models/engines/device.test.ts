import type { LlamaModel } from 'node-llama-cpp';
import { expect, test } from 'vitest';
import { describeDevice } from '../../../models/engines/llama/loading/backend.ts';

/** What the library reports about another machine. */
function reading(
  gpu: 'cuda' | 'vulkan' | 'metal',
  { unified = 0, devices = ['Card One', 'Card Two'], gpuLayers = 33 } = {},
): LlamaModel {
  const llama = {
    gpu,
    getGpuDeviceNames: () => Promise.resolve(devices),
    getVramState: () => Promise.resolve({ total: 24e9, used: 1e9, free: 23e9, unifiedSize: unified }),
  };
  return { llama, gpuLayers, fileInsights: { totalLayers: 33 } } as unknown as LlamaModel;
}

test('a model with layers on a card says on which', async () => {
  expect(await describeDevice(reading('cuda'))).toEqual({
    device: 'cuda Card One Card Two',
    graphics: { kind: 'cuda', devices: ['Card One', 'Card Two'], totalBytes: 24e9, isShared: false },
    layers: { onCards: 33, all: 33 },
  });
});

test('a model that does not fit on the card says so', async () => {
  const { device, fallback } = await describeDevice(reading('vulkan', { gpuLayers: 0 }));
  expect([device, fallback]).toEqual([
    'cpu',
    'vulkan Card One Card Two has too little memory for a single layer',
  ]);
});

test('a card that shares the machine’s memory is recognised as such', async () => {
  expect((await describeDevice(reading('metal', { unified: 24e9 }))).graphics?.isShared).toBe(true);
});

test('a driver without a card reports no card', async () => {
  expect(await describeDevice(reading('vulkan', { devices: [] }))).toEqual({ device: 'cpu' });
});
