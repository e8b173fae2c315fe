import { expect, test } from 'vitest';
import { measureRounds } from '../../../../scripts/bench/overhead/rounds.ts';
import { SIDE_NAMES, type Side, type SideName } from '../../../../scripts/bench/overhead/sides.ts';

const PLAN = { rounds: 2, tokens: 11, firstTokenPrompts: 2, deadlineMs: 1000 };

test('the compared sides get the same prompts, none of them twice', async () => {
  const calls = await callsOfARun();
  const promptsOf = (name: SideName) =>
    calls.filter(({ side }) => side === name).flatMap(({ prompts }) => prompts);
  const prompts = promptsOf('daemon');
  expect(new Set(prompts).size).toBe(prompts.length);
  expect(promptsOf('engine')).toEqual(prompts);
  expect(prompts).toEqual(expect.arrayContaining(promptsOf('defaults')));
});

test('the sides take turns at being first', async () => {
  const calls = await callsOfARun();
  const firstWith = new Map<string, SideName>();
  for (const { side, prompts } of calls) {
    if (!firstWith.has(prompts.join())) firstWith.set(prompts.join(), side);
  }
  expect(new Set(firstWith.values())).toEqual(new Set(SIDE_NAMES));
});

test('a round has the speed of one stream and of several together', async () => {
  const rounds = await measureRounds(sidesThat(), PLAN, () => undefined, noSignal());
  expect(rounds).toHaveLength(2);
  expect(rounds[0]?.engine).toEqual({
    firstTokenMs: [100, 100],
    tokensPerSecond: { 1: 100, 4: 400, 8: 800 },
  });
});

test('an interrupted run ends with an error', async () => {
  await expect(measureRounds(sidesThat(), PLAN, () => undefined, AbortSignal.abort())).rejects.toThrow(
    'aborted',
  );
});

async function callsOfARun() {
  const calls: { side: SideName; prompts: readonly string[] }[] = [];
  const sides = sidesThat((side, prompts) => calls.push({ side, prompts }));
  await measureRounds(sides, PLAN, () => undefined, noSignal());
  return calls;
}

function sidesThat(onBatch: (name: SideName, prompts: readonly string[]) => void = () => undefined) {
  const side = (name: SideName): Side => ({
    threads: 1,
    async runBatch(prompts, { maxTokens }) {
      onBatch(name, prompts);
      const arrivalsMs = Array.from({ length: maxTokens }, (_, token) => 100 + token * 10);
      return prompts.map(() => ({ arrivalsMs, tokens: maxTokens }));
    },
    async [Symbol.asyncDispose]() {},
  });
  return { defaults: side('defaults'), engine: side('engine'), daemon: side('daemon') };
}

function noSignal(): AbortSignal {
  return new AbortController().signal;
}
