import { expect, test } from 'vitest';
import { catalog } from '../../../models/catalog.ts';
import type { MachineSpeed } from '../../../src/library/calibrations.ts';
import { expectedSpeed } from '../../../src/library/expected-speed.ts';
import type { ModelManifest } from '../../../src/runtime/manifest.ts';

const MACHINE: MachineSpeed = {
  tokensPerSecond: 50,
  weightBytes: 400e6,
  device: 'cpu',
  cardBytes: null,
  isCalm: true,
  measuredAt: 0,
};
const file = (path: string, bytes: number, activeShare?: number): ModelManifest => ({
  id: path,
  name: path,
  engine: 'llama',
  tasks: ['chat'],
  services: [],
  tier: 'small',
  licence: 'MIT',
  path,
  bytes,
  contextTokensMax: 2048,
  ...(activeShare !== undefined && { memory: { kvBytesPerToken: 0, activeShare } }),
});

test('the same weights in the same type are as fast as measured', () => {
  expect(expectedSpeed(file('m-Q8_0.gguf', 400e6), MACHINE)).toEqual({ from: 50, to: 50 });
  expect(expectedSpeed(file('m-Q8_0.gguf', 4e9), MACHINE)).toEqual({ from: 5, to: 5 });
});

test('smaller weights are faster at most in proportion to their bytes, and at least to their number', () => {
  const { from, to } = expectedSpeed(file('m-Q4_K_M.gguf', 200e6), MACHINE) ?? { from: 0, to: 0 };
  expect(to).toBe(100);
  expect(from).toBeCloseTo((100 * 4.5) / 8.5);
  expect(expectedSpeed(file('m-F16.gguf', 800e6), MACHINE)).toEqual({
    from: 25,
    to: expect.closeTo((25 * 16) / 8.5),
  });
});

test('a mixture of experts costs only its active weights', () => {
  expect(expectedSpeed(file('m-Q8_0.gguf', 4e9, 0.1), MACHINE)).toEqual({ from: 50, to: 50 });
});

test('nothing is expected without a measurement, of models that generate no text, or of what the card cannot hold', () => {
  expect(expectedSpeed(file('m-Q8_0.gguf', 400e6), undefined)).toBeUndefined();
  expect(
    expectedSpeed({ ...file('m.onnx', 400e6), engine: 'onnx', tasks: ['embed'] }, MACHINE),
  ).toBeUndefined();
  const onCard = { ...MACHINE, device: 'cuda', cardBytes: 8e9 };
  expect(expectedSpeed(file('m-Q8_0.gguf', 4e9), onCard)).toBeDefined();
  expect(expectedSpeed(file('m-Q8_0.gguf', 9e9), onCard)).toBeUndefined();
});

test('every chat model of the catalogue names the type of its weights and has an expected speed', () => {
  for (const entry of catalog.filter(({ hub, tasks }) => hub && tasks.includes('chat'))) {
    const { from, to } = expectedSpeed(entry, MACHINE) ?? { from: 0, to: 0 };
    expect([entry.id, from > 0 && from <= to]).toEqual([entry.id, true]);
    expect(entry.hub?.find(({ role }) => role === 'model')?.path).toMatch(/(Q\d|F16|BF16|MXFP4)/);
  }
});
