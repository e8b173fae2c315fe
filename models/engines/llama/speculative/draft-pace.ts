/** How likely a drafted token is right, before anything is known. */
const RIGHT_AT_FIRST = 0.6;
/** How many tokens that first guess counts for, and how fast older ones are forgotten. */
const GUESS_WEIGHT = 3;
const MEMORY = 0.9;
/** Where drafts do not pay, one is tried after so many steps; after four times as many when it fails, half when it does not. */
const PAUSE_FIRST = 16;
const PAUSE_MAX = 512;
const TRIAL_LONG = 4;
const TRIAL_MAX = 8;
const SHARE_OF_LATEST = 0.25;
/** Less for a drafted token is noise, and nothing at all would draft without end. In steps without drafts. */
const EXTRA_MIN = 0.01;
/** What a draft must promise, so that noise makes none. */
const GAIN_MIN = 1.02;

/** How well drafts of one text do. */
export type DraftRecord = {
  /** How likely the next drafted token is right. */
  chance(): number;
  /** Whether one may be tried in spite of its chances. */
  isTrial(): boolean;
  /** A step for which nothing was drafted although something could have been. */
  pass(): void;
  /** `hasPaid` says whether the step made more tokens in its time than one without drafts. */
  learn(draft: { drafted: number; accepted: number; hasPaid: boolean }): void;
};

export function createDraftRecord(): DraftRecord {
  let tried = GUESS_WEIGHT;
  let right = RIGHT_AT_FIRST * GUESS_WEIGHT;
  let passed = 0;
  let pause = PAUSE_FIRST;
  return {
    chance: () => right / tried,
    isTrial: () => passed >= pause,
    pass: () => void passed++,
    learn({ drafted, accepted, hasPaid }) {
      // Those after the first wrong one were never looked at.
      const looked = Math.min(drafted, accepted + 1);
      const kept = MEMORY ** looked;
      tried = tried * kept + looked;
      right = right * kept + accepted;
      // A short one can be right and still not pay; longer ones show whether any would.
      const isPromising = accepted > 0 && (hasPaid || drafted < TRIAL_LONG);
      if (passed >= pause) pause = isPromising ? Math.max(1, pause / 2) : Math.min(4 * pause, PAUSE_MAX);
      passed = 0;
    },
  };
}

/** One running request, as far as its draft goes. */
export type Candidate = { tokensMax: number; chance: number; isTrial: boolean };

export type DraftPace = {
  /** How many tokens each may draft in the next step. */
  allot(candidates: readonly Candidate[], running: number): number[];
  /** Learns from a step in which nobody read a prompt; tells whether it made as many tokens in its time as one without drafts. */
  observe(step: { running: number; drafted: number; accepted: number; ms: number }): boolean;
};

/**
 * What a draft costs depends on machine, model and how many run beside it, so it is measured: how long a step without
 * drafts takes, and how much longer it is with some. Of all ways to draft, the one is taken that makes most tokens in its time.
 */
export function createDraftPace(): DraftPace {
  const plain = new Map<number, number>();
  const cost = createCost();

  return {
    allot(candidates, running) {
      // A first step without a draft says what there is to gain.
      if (!plain.has(running)) return candidates.map(() => 0);
      const best = mostInItsTime(candidates, running, (drafted) => 1 + cost.of(drafted, running));
      return best.map((count, index) => {
        const { isTrial = false, tokensMax = 0, chance = 0 } = candidates[index] ?? {};
        if (count > 0 || !isTrial) return count;
        const expected = Math.round(chance / Math.max(1 - chance, 0.01));
        return Math.min(Math.max(1, expected), TRIAL_MAX, tokensMax);
      });
    },
    observe({ running, drafted, accepted, ms }) {
      const plainMs = plain.get(running);
      // A step that something else held up must not be remembered for long.
      if (drafted === 0) plain.set(running, mix(plainMs, Math.min(ms, 2 * (plainMs ?? ms))));
      if (drafted === 0 || plainMs === undefined) return true;
      cost.learn({ drafted, running, cost: ms / plainMs - 1 });
      return (running + accepted) / ms >= running / plainMs;
    },
  };
}

/** Adds the likeliest token again and again, and keeps what promises most. */
function mostInItsTime(
  candidates: readonly Candidate[],
  running: number,
  msOf: (drafted: number) => number,
): number[] {
  const counts = candidates.map(() => 0);
  let best = { rate: running * GAIN_MIN, counts: [...counts] };
  let tokens = running;
  for (let drafted = 1; ; drafted++) {
    const next = likeliest(candidates, counts);
    if (!next) return best.counts;
    counts[next.index] = (counts[next.index] ?? 0) + 1;
    tokens += next.chance;
    const rate = tokens / msOf(drafted);
    if (rate > best.rate) best = { rate, counts: [...counts] };
  }
}

/**
 * What drafts cost beside the step itself, in steps without any: so much for the first, because several tokens of a text
 * are computed in another way than one, and so much for each. Fitted to what was seen, the latest most.
 */
function createCost() {
  let [weight, drafts, costs, squares, products] = [0, 0, 0, 0, 0];

  function of(drafted: number, running: number): number {
    if (squares === 0) return drafted / (2 * running);
    // No draft costs nothing: worth half a look.
    const all = weight + 0.5;
    const slope = (all * products - drafts * costs) / (all * squares - drafts * drafts);
    const first = (costs - slope * drafts) / all;
    if (first < 0) return drafted * Math.max(products / squares, EXTRA_MIN);
    return first + drafted * Math.max(slope, EXTRA_MIN);
  }

  return {
    of,
    learn({ drafted, running, cost }: { drafted: number; running: number; cost: number }): void {
      const seen = Math.min(Math.max(cost, EXTRA_MIN * drafted), 2 * of(drafted, running));
      const add = (sum: number, value: number) => MEMORY * sum + value;
      weight = add(weight, 1);
      drafts = add(drafts, drafted);
      costs = add(costs, seen);
      squares = add(squares, drafted * drafted);
      products = add(products, drafted * seen);
    },
  };
}

function likeliest(candidates: readonly Candidate[], counts: readonly number[]) {
  let best: { index: number; chance: number } | undefined;
  for (const [index, candidate] of candidates.entries()) {
    const count = counts[index] ?? 0;
    if (count >= candidate.tokensMax) continue;
    const chance = candidate.chance ** (count + 1);
    if (!best || chance > best.chance) best = { index, chance };
  }
  return best;
}

function mix(before: number | undefined, latest: number): number {
  return before === undefined ? latest : before + SHARE_OF_LATEST * (latest - before);
}
