import { expect, test } from 'vitest';
import { readDevice, readVramBytes } from '../../../../models/engines/diffusion/device.ts';

const CPU =
  "GGML backend device[0]: name='CPU', desc='AMD EPYC', type=CPU, reg='CPU', mem_free=25276502016, mem_total=25276502016";
const CARD =
  "GGML backend device[1]: name='Vulkan0', desc='NVIDIA H200', type=GPU, reg='Vulkan', mem_free=149000000000, mem_total=150000000000";

test('it runs on the CPU without a card', () => {
  expect(readDevice(CPU)).toEqual({ device: 'cpu' });
});

test('a card that the library found is used', () => {
  expect(readDevice(`${CPU}\n${CARD}`)).toEqual({
    device: 'vulkan',
    graphics: { kind: 'vulkan', devices: ['NVIDIA H200'], totalBytes: 150_000_000_000, isShared: false },
  });
});

test('the weights on the card are as reported by the library', () => {
  const line = 'total params memory size = 217.88MB (VRAM 1.50MB, RAM 216.38MB): text_encoders 55.51MB(RAM)';
  expect([readVramBytes(line), readVramBytes('')]).toEqual([1_572_864, 0]);
});
