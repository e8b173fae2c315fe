/** Prior: how likely a draft token is accepted, before anything is known. */
const PRIOR_ACCEPTANCE = 0.6;
/** How many tokens that prior counts for, and how fast older ones are forgotten. */
const PRIOR_WEIGHT = 3;
const MEMORY = 0.9;
/**
 * If drafting does not pay off, it is tried again after this many steps; after four times as many if it fails, half
 * if it pays off.
 */
const PAUSE_FIRST = 16;
const PAUSE_MAX = 512;
const TRIAL_LONG = 4;
const TRIAL_MAX = 8;
const SHARE_OF_LATEST = 0.25;
/** Less than this per draft token is noise, and zero would draft without end. In units of a step without drafts. */
const EXTRA_MIN = 0.01;
/** The gain that a draft must promise to be worth it, above noise. */
const GAIN_MIN = 1.02;

/** The acceptance record of one text. */
export type DraftRecord = {
  /** How likely the next draft token is to be accepted. */
  chance(): number;
  /** Whether to try one in spite of the odds. */
  isTrial(): boolean;
  /** A step without a draft although one was possible. */
  pass(): void;
  /** `hasPaid`: the step made more tokens per time than one without drafts. */
  learn(draft: { drafted: number; accepted: number; hasPaid: boolean }): void;
};

export function createDraftRecord(): DraftRecord {
  let tried = PRIOR_WEIGHT;
  let right = PRIOR_ACCEPTANCE * PRIOR_WEIGHT;
  let passed = 0;
  let pause = PAUSE_FIRST;
  return {
    chance: () => right / tried,
    isTrial: () => passed >= pause,
    pass: () => void passed++,
    learn({ drafted, accepted, hasPaid }) {
      // Tokens after the first rejected one were never verified.
      const looked = Math.min(drafted, accepted + 1);
      const kept = MEMORY ** looked;
      tried = tried * kept + looked;
      right = right * kept + accepted;
      // A short draft can be right and still not pay off; longer ones show whether any would.
      const isPromising = accepted > 0 && (hasPaid || drafted < TRIAL_LONG);
      if (passed >= pause) pause = isPromising ? Math.max(1, pause / 2) : Math.min(4 * pause, PAUSE_MAX);
      passed = 0;
    },
  };
}

/** One running request, as far as drafting is concerned. */
export type Candidate = { tokensMax: number; chance: number; isTrial: boolean };

export type DraftPace = {
  /** How many tokens each request may draft in the next step. */
  allot(candidates: readonly Candidate[], running: number): number[];
  /** Records a step without prefill; returns whether it made as many tokens per time as one without drafts. */
  observe(step: { running: number; drafted: number; accepted: number; ms: number }): boolean;
};

/**
 * The cost of drafting depends on machine, model and batch size, so it is measured: how long a step without drafts
 * takes, and how much longer one with drafts does. The allotment that makes the most tokens per time wins.
 */
export function createDraftPace(): DraftPace {
  const plain = new Map<number, number>();
  const cost = createCost();

  return {
    allot(candidates, running) {
      // A first step without a draft shows what there is to gain.
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
      // A step that was delayed by something else must not be remembered for long.
      if (drafted === 0) plain.set(running, mix(plainMs, Math.min(ms, 2 * (plainMs ?? ms))));
      if (drafted === 0 || plainMs === undefined) return true;
      cost.learn({ drafted, running, cost: ms / plainMs - 1 });
      return (running + accepted) / ms >= running / plainMs;
    },
  };
}

/** Repeatedly adds the most likely draft token, and keeps the best allotment. */
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
 * The cost of drafts on top of a step, in steps without any: a fixed part, because several tokens of a sequence are
 * computed differently from one, and a part per token. Fitted to measurements, recent ones most.
 */
function createCost() {
  let [weight, drafts, costs, squares, products] = [0, 0, 0, 0, 0];

  function of(drafted: number, running: number): number {
    if (squares === 0) return drafted / (2 * running);
    // No draft costs nothing; this counts as half a measurement.
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
