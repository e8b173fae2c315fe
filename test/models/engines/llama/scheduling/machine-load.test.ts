import { expect, test } from 'vitest';
import {
  coresOfOthers,
  coresStolen,
  readMachineLoad,
  stolenMsIn,
} from '../../../../../models/engines/llama/scheduling/machine-load.ts';

const at = (atMs: number, machineMs: number, ownMs: number, stolenMs = 0) => ({
  ...{ atMs, cores: 2, machineMs, ownMs, stolenMs },
});

test.each([
  ['nothing when all the work is our own', at(0, 0, 0), at(1000, 1500, 1500), 0],
  ['one core when another program used one', at(0, 100, 50), at(1000, 2100, 1050), 1],
  ['a share of a core', at(500, 0, 0), at(1000, 350, 100), 0.5],
  ['nothing when the clocks disagree a little', at(0, 0, 0), at(1000, 990, 1000), 0],
])('others keep busy %s', (_, from, to, cores) => {
  expect(coresOfOthers(from, to)).toBe(cores);
});

test('the machine reports more time than this process has used', () => {
  const load = readMachineLoad();
  expect(load.machineMs).toBeGreaterThan(load.ownMs);
  expect(load.cores).toBeGreaterThan(0);
});

test('stolen time is counted apart from what other programs use', () => {
  const [from, to] = [at(0, 0, 0, 100), at(1000, 1500, 1500, 600)];
  expect(coresStolen(from, to)).toBe(0.5);
  expect(coresOfOthers(from, to)).toBe(0);
});

test('the kernel reports stolen time', () => {
  const stat =
    'cpu  5158210 842001 390601 1795901 11004 0 22451 204422 0 0\ncpu0 3064244 57407 157857 813123 6393 0 9886 102960 0 0\n';
  expect(stolenMsIn(stat)).toBe(2_044_220);
});

test('a kernel that reports no stolen time counts as none', () => {
  expect(stolenMsIn('cpu  5158210 842001 390601 1795901\n')).toBe(0);
});
