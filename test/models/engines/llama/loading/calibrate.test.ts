import { availableParallelism } from 'node:os';
import type { LlamaModel } from 'node-llama-cpp';
import { expect, test } from 'vitest';
import { never } from '../../../chats.ts';
import {
  calibrateThreads,
  chooseThreads,
  chooseUnderLoad,
  leaveCore,
  threadSteps,
} from '../../../../../models/engines/llama/loading/calibrate.ts';

const measured = (...msPerToken: number[]) =>
  msPerToken.map((ms, index) => ({ threads: 2 ** index, msPerToken: ms }));

test.each([
  ['one thread where more make it slower', measured(1, 2, 9), 1],
  ['one thread where more hardly help', measured(10, 9.8, 9.9), 1],
  ['two where two help and four do not', measured(10, 6, 6.1), 2],
  ['the most where each helps', measured(10, 6, 4), 4],
  ['four where only four help', measured(10, 9.9, 5), 4],
  ['one when nothing was measured', [], 1],
])('chooses %s', (_, measurements, threads) => {
  expect(chooseThreads(measurements)).toBe(threads);
});

test.each([
  ['all threads to a model whose tokens take long, however slow they look', measured(20, 25, 90), 4],
  ['what was measured to a small one', measured(1.5, 3, 9), 1],
  ['one when nothing was measured', [], 1],
])('gives on a busy machine %s', (_, measurements, threads) => {
  expect(chooseUnderLoad(measurements)).toBe(threads);
});

test.each([
  ['a core for askd beside a quick model', measured(1, 0.6), 1],
  ['one of four', measured(1, 0.6, 0.4), 2],
  ['none beside a model whose tokens take longer', measured(1.5, 1), 2],
  ['none if there is only one', measured(1), 1],
])('leaves %s', (_, measurements, threads) => {
  expect(chooseThreads(leaveCore(measurements))).toBe(threads);
});

test('a quick model that answers token by token leaves a core, and one that reads whole texts does not', async () => {
  const faster = (threads: number) => 1 / threads;
  const threads = threadSteps(Math.min(4, availableParallelism()));
  expect((await calibrate({ ms: faster, msEnough: 0.5 })).calibration.threads).toBe(threads.at(-2) ?? 1);
  expect((await calibrate({ ms: faster })).calibration.threads).toBe(threads.at(-1));
});

test('tries powers of two up to the cores', () => {
  expect([1, 2, 3, 4, 6, 16].map(threadSteps)).toEqual([
    [1],
    [1, 2],
    [1, 2, 3],
    [1, 2, 4],
    [1, 2, 4, 6],
    [1, 2, 4, 8, 16],
  ]);
});

test('measures no second thread for a model whose tokens cost less than a request', async () => {
  const { opened, rounds, calibration } = await calibrate({ ms: 0.1, msEnough: 0.5 });
  expect(opened).toEqual([1]);
  expect(rounds).toBe(2);
  expect(calibration).toMatchObject({ threads: 1, measurements: [{ threads: 1, msPerToken: 0.1 }] });
});

test.each([
  ['tokens take longer', { ms: 2, msEnough: 0.5 }],
  ['each token of a text takes as little, but it has many', { ms: 0.1 }],
])('measures more threads if %s', async (_, trial) => {
  const { opened } = await calibrate(trial);
  expect(opened).toEqual(threadSteps(Math.min(4, availableParallelism())));
});

type Speed = { ms: number | ((threads: number) => number); msEnough?: number };

async function calibrate({ ms, msEnough }: Speed) {
  const model = { llama: { cpuMathCores: 4 } } as LlamaModel;
  const opened: number[] = [];
  let rounds = 0;
  const calibration = await calibrateThreads(model, never(), async (_, threads) => {
    opened.push(threads);
    return {
      ...(msEnough !== undefined && { msEnough }),
      async msOfRound() {
        rounds += 1;
        return typeof ms === 'number' ? ms : ms(threads);
      },
      dispose: async () => undefined,
    };
  });
  return { opened, rounds, calibration };
}
