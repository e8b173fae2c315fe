import { SAMPLE_SECONDS, SAMPLES_MAX, type ActivitySample } from '../../src/api/management/activity.ts';
import { toIso, type Clock } from '../../src/base/clock.ts';
import { toCredits } from '../../src/base/money.ts';

/** Counted since the daemon started, except for the memory. */
export type Reading = {
  requests: number;
  generatedTokens: number;
  paidN: number;
  tokensByModel: ReadonlyMap<string, number>;
  firstTokens: { count: number; seconds: number };
  memoryBytes: number;
};

export type Activity = ReturnType<typeof createActivity>;

const SLOT_MS = SAMPLE_SECONDS * 1000;
const slotOf = (ms: number) => Math.floor(ms / SLOT_MS);

/** The last hour, as a bounded list of differences between readings. */
export function createActivity({ clock, read }: { clock: Clock; read: () => Reading }) {
  const closed: ActivitySample[] = [];
  let began = { ms: clock.now(), reading: read() };

  /** Closes a sample that has ended. Called at least once per sample. */
  function advance(): void {
    const now = { ms: clock.now(), reading: read() };
    if (slotOf(now.ms) === slotOf(began.ms)) return;
    closed.push(sampleOf(began, now));
    if (closed.length >= SAMPLES_MAX) closed.shift();
    began = now;
  }

  function current(): ActivitySample {
    advance();
    return sampleOf(began, { ms: clock.now(), reading: read() });
  }

  return {
    advance,
    /** The sample that is still growing. */
    current,
    /** Oldest first. */
    samples: (): ActivitySample[] => {
      const latest = current();
      return [...closed, latest];
    },
    /** Until the current sample ends. */
    remainingMs: () => SLOT_MS - (clock.now() % SLOT_MS),
  };
}

type Moment = { ms: number; reading: Reading };

function sampleOf(before: Moment, after: Moment): ActivitySample {
  const [from, to] = [before.reading, after.reading];
  const firstTokens = to.firstTokens.count - from.firstTokens.count;
  return {
    at: toIso(slotOf(before.ms) * SLOT_MS),
    seconds: Math.max(0, after.ms - before.ms) / 1000,
    requests: to.requests - from.requests,
    generated_tokens: Math.max(0, to.generatedTokens - from.generatedTokens),
    spent: toCredits(to.paidN - from.paidN),
    first_token_seconds:
      firstTokens === 0 ? null : (to.firstTokens.seconds - from.firstTokens.seconds) / firstTokens,
    memory_bytes: to.memoryBytes,
    models: [...to.tokensByModel].flatMap(([artifact, tokens]) => {
      const generated = tokens - (from.tokensByModel.get(artifact) ?? 0);
      return generated > 0 ? [{ artifact, generated_tokens: generated }] : [];
    }),
  };
}
