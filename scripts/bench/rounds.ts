import { SIDE_NAMES, STREAMS_MAX, type SideName, type Sides } from './sides.ts';
import { firstTokenMs, tokensPerSecond, type BatchLimits, type Timing } from './timing.ts';

export type Plan = { rounds: number; tokens: number; firstTokenPrompts: number; deadlineMs: number };

/** What one round saw of one side. */
export type Sample = {
  /** One for each prompt, in the order that all sides got them; undefined when the deadline came first. */
  firstTokenMs: (number | undefined)[];
  /** By the number of streams at the same time. */
  tokensPerSecond: Record<1 | 4 | typeof STREAMS_MAX, number>;
};

export type Round = Record<SideName, Sample>;

type Batch = (count: number, limits: BatchLimits) => Promise<Record<SideName, Timing[]>>;

/**
 * Every measurement is done on each side before the next one begins, and each begins with another side, so that what
 * else the machine does falls on all of them.
 */
export async function measureRounds(
  sides: Sides,
  plan: Plan,
  onRound: (round: number) => void,
  signal: AbortSignal,
): Promise<Round[]> {
  const batch = createBatch(sides, signal);
  const rounds: Round[] = [];
  await batch(1, { ...plan, maxTokens: 8 });
  for (let round = 1; round <= plan.rounds; round++) {
    onRound(round);
    rounds.push(await measureRound(batch, plan));
  }
  return rounds;
}

async function measureRound(batch: Batch, plan: Plan): Promise<Round> {
  const firsts: Record<SideName, Timing[]>[] = [];
  for (let index = 0; index < plan.firstTokenPrompts; index++) {
    firsts.push(await batch(1, { ...plan, maxTokens: 1 }));
  }
  const limits = { ...plan, maxTokens: plan.tokens };
  const [one, four, eight] = [
    await batch(1, limits),
    await batch(4, limits),
    await batch(STREAMS_MAX, limits),
  ];
  return fromSides((name) => ({
    firstTokenMs: firsts.flatMap((timings) => timings[name].map(firstTokenMs)),
    tokensPerSecond: {
      1: tokensPerSecond(one[name]),
      4: tokensPerSecond(four[name]),
      8: tokensPerSecond(eight[name]),
    },
  }));
}

/** The same prompts for all sides, and never again, so that none answers from its cache. */
function createBatch(sides: Sides, signal: AbortSignal): Batch {
  let prompts = 0;
  let turn = 0;
  return async (count, limits) => {
    const wanted = Array.from({ length: count }, () => distinctPrompt(prompts++));
    const first = turn++;
    const timings = new Map<SideName, Timing[]>();
    for (const index of SIDE_NAMES.keys()) {
      signal.throwIfAborted();
      const name = SIDE_NAMES[(first + index) % SIDE_NAMES.length] ?? 'daemon';
      timings.set(name, await sides[name].runBatch(wanted, limits));
    }
    return fromSides((name) => timings.get(name) ?? []);
  };
}

/** Short, all of one length, and with its differences in front. */
function distinctPrompt(serial: number): string {
  const number = String(serial).padStart(6, '0').split('').reverse().join('');
  return `${number} is a number.`;
}

function fromSides<T>(value: (name: SideName) => T): Record<SideName, T> {
  return { defaults: value('defaults'), engine: value('engine'), daemon: value('daemon') };
}
