import { SIDE_NAMES, STREAMS_MAX, type SideName, type Sides } from './sides.ts';
import { firstTokenMs, tokensPerSecond, type BatchLimits, type Timing } from './timing.ts';

export type Plan = { rounds: number; tokens: number; firstTokenPrompts: number; deadlineMs: number };

/** The results of one side in one round. */
export type Sample = {
  /** One for each prompt, in the order in which the sides got them; undefined if the deadline came first. */
  firstTokenMs: (number | undefined)[];
  /** By the number of streams at the same time. */
  tokensPerSecond: Record<1 | 4 | typeof STREAMS_MAX, number>;
};

export type Round = Record<SideName, Sample>;

type Batch = <Name extends SideName>(
  names: readonly Name[],
  count: number,
  limits: BatchLimits,
) => Promise<Record<Name, Timing[]>>;

/** Only these are compared by their first token, with many prompts; the other side has one in each round. */
const FIRST_TOKEN_SIDES = ['engine', 'daemon'] as const;

/**
 * Every measurement is done on each side before the next one starts, each time starting with a different side, so
 * that other load on the machine affects all of them.
 */
export async function measureRounds(
  sides: Sides,
  plan: Plan,
  onRound: (round: number) => void,
  signal: AbortSignal,
): Promise<Round[]> {
  const batch = createBatch(sides, signal);
  const rounds: Round[] = [];
  await batch(SIDE_NAMES, 1, { ...plan, maxTokens: 8 });
  for (let round = 1; round <= plan.rounds; round++) {
    onRound(round);
    rounds.push(await measureRound(batch, plan));
  }
  return rounds;
}

async function measureRound(batch: Batch, plan: Plan): Promise<Round> {
  const firsts: Record<(typeof FIRST_TOKEN_SIDES)[number], Timing[]>[] = [];
  for (let index = 0; index < plan.firstTokenPrompts; index++) {
    firsts.push(await batch(FIRST_TOKEN_SIDES, 1, { ...plan, maxTokens: 1 }));
  }
  const limits = { ...plan, maxTokens: plan.tokens };
  const one = await batch(SIDE_NAMES, 1, limits);
  const four = await batch(SIDE_NAMES, 4, limits);
  const eight = await batch(SIDE_NAMES, STREAMS_MAX, limits);
  const sampleOf = (name: SideName, firstTimings: readonly Timing[]): Sample => ({
    firstTokenMs: firstTimings.map(firstTokenMs),
    tokensPerSecond: {
      1: tokensPerSecond(one[name]),
      4: tokensPerSecond(four[name]),
      8: tokensPerSecond(eight[name]),
    },
  });
  return {
    defaults: sampleOf('defaults', one.defaults),
    engine: sampleOf(
      'engine',
      firsts.flatMap(({ engine }) => engine),
    ),
    daemon: sampleOf(
      'daemon',
      firsts.flatMap(({ daemon }) => daemon),
    ),
  };
}

/** The same prompts for all sides, and never again, so that none answers from its cache. */
function createBatch(sides: Sides, signal: AbortSignal): Batch {
  let prompts = 0;
  let turn = 0;
  return async <Name extends SideName>(names: readonly Name[], count: number, limits: BatchLimits) => {
    const wanted = Array.from({ length: count }, () => distinctPrompt(prompts++));
    const first = turn++ % names.length;
    const results: [Name, Timing[]][] = [];
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      signal.throwIfAborted();
      results.push([name, await sides[name].runBatch(wanted, limits)]);
    }
    return Object.fromEntries(results) as Record<Name, Timing[]>;
  };
}

/** Short, all of the same length, and with their differences first. */
function distinctPrompt(serial: number): string {
  const number = String(serial).padStart(6, '0').split('').reverse().join('');
  return `${number} is a number.`;
}
