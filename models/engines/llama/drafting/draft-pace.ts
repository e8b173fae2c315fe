/** How likely a drafted token is right, before anything is known. */
const RIGHT_AT_FIRST = 0.6;
/** How many tokens that first guess counts for, and how fast older ones are forgotten. */
const GUESS_WEIGHT = 3;
const MEMORY = 0.9;
/** Where drafts do not pay, one is tried again after so many steps, and after twice as many each time it fails. */
const PAUSE_FIRST = 16;
const PAUSE_MAX = 512;
const SHARE_OF_LATEST = 0.25;
/** Less is noise, and nothing at all would draft without end. */
const EXTRA_SHARE_MIN = 0.01;

/** How well drafts of one text do. */
export type DraftRecord = {
  /** How likely the next drafted token is right. */
  chance(): number;
  /** Whether one may be tried in spite of its chances. */
  isTrial(): boolean;
  /** A step for which nothing was drafted although something could have been. */
  pass(): void;
  learn(drafted: number, accepted: number): void;
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
    learn(drafted, accepted) {
      // Those after the first wrong one were never looked at.
      const looked = Math.min(drafted, accepted + 1);
      const kept = MEMORY ** looked;
      tried = tried * kept + looked;
      right = right * kept + accepted;
      if (passed >= pause) pause = accepted > 0 ? 1 : Math.min(2 * pause, PAUSE_MAX);
      passed = 0;
    },
  };
}

/** One running request, as far as its draft goes. */
export type Candidate = { tokensMax: number; chance: number; isTrial: boolean };

export type DraftPace = {
  /** How many tokens each may draft in the next step. */
  allot(candidates: readonly Candidate[], running: number): number[];
  /** How long a step took in which nobody read a prompt. */
  observe(step: { running: number; drafted: number; ms: number }): void;
};

/**
 * What a drafted token costs depends on machine, model and how many run beside it, so both are measured: a step without
 * drafts, and how much longer it takes for each drafted token. One more is drafted as long as it makes more of a token
 * in its time than the step does without it.
 */
export function createDraftPace(): DraftPace {
  const plain = new Map<number, number>();
  let extraMs: number | undefined;

  return {
    allot(candidates, running) {
      const counts = candidates.map(() => 0);
      const plainMs = plain.get(running);
      // A first step without a draft says what there is to gain.
      if (plainMs === undefined) return counts;
      let [tokens, ms] = [running, plainMs];
      const cost = extraMs ?? plainMs / (2 * running);
      for (;;) {
        const next = likeliest(candidates, counts);
        if (!next || next.chance * ms <= cost * tokens) break;
        counts[next.index] = (counts[next.index] ?? 0) + 1;
        tokens += next.chance;
        ms += cost;
      }
      return counts.map((count, index) => {
        const { isTrial = false, tokensMax = 0 } = candidates[index] ?? {};
        return count === 0 && isTrial ? Math.min(1, tokensMax) : count;
      });
    },
    observe({ running, drafted, ms }) {
      const plainMs = plain.get(running);
      // A step that something else held up must not be remembered for long.
      if (drafted === 0) return void plain.set(running, mix(plainMs, Math.min(ms, 2 * (plainMs ?? ms))));
      if (plainMs === undefined) return;
      const extra = (ms - plainMs) / drafted;
      extraMs = mix(extraMs, Math.min(Math.max(extra, EXTRA_SHARE_MIN * plainMs), plainMs));
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
