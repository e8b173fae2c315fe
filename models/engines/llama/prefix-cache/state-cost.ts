/** Below this, finding out costs as much as it saves. */
const RESTORED_TOKENS_MIN = 32;
/** Many short requests come once and never again. */
const KEPT_TOKENS_MIN = 256;
/** Not every conversation continues. */
const KEPT_MARGIN = 2;
/** So little is not noticeable, and measuring it says nothing. */
const UNNOTICED_MS = 10;
/** A single measurement may have been taken in a busy moment. */
const SAMPLES_MIN = 3;

export type Costs = {
  /** Tokens that then need no prefill. */
  tokens: number;
  /** How long their prefill takes, and how long the state takes; undefined before the first measurement. */
  prefillMs: number | undefined;
  stateMs: number | undefined;
};

/** Whether a state costs less than prefilling again. */
export function paysOff(use: 'keep' | 'restore', { tokens, prefillMs, stateMs }: Costs): boolean {
  const [tokensMin, margin] = use === 'keep' ? [KEPT_TOKENS_MIN, KEPT_MARGIN] : [RESTORED_TOKENS_MIN, 1];
  if (tokens < tokensMin) return false;
  if (prefillMs === undefined || stateMs === undefined || stateMs <= UNNOTICED_MS) return true;
  return margin * stateMs < prefillMs;
}

/** How large states are and how long they take, as measured here. */
export function createStateCost() {
  let bytesPerToken = 0;
  const [save, restore] = [createSpeed(), createSpeed()];
  const bytesOf = (tokens: number) => tokens * bytesPerToken;

  return {
    /** 0 before the first one is saved. */
    bytesOf,
    /** The time to save it and, later, to restore it. */
    keepMs(tokens: number): number | undefined {
      const [saveMs, restoreMs] = [save.ms(bytesOf(tokens)), restore.ms(bytesOf(tokens))];
      return saveMs === undefined ? undefined : saveMs + (restoreMs ?? saveMs);
    },
    restoreMs: restore.ms,
    onSaved({ bytes, tokens, ms }: { bytes: number; tokens: number; ms: number }): void {
      bytesPerToken = bytes / tokens;
      save.add(bytes, ms);
    },
    onRestored: ({ bytes, ms }: { bytes: number; ms: number }) => restore.add(bytes, ms),
  };
}

/** The best of all measurements counts, so that a busy moment does not decide permanently. */
function createSpeed() {
  let samples = 0;
  let msPerByte = Infinity;
  return {
    ms: (bytes: number) => (samples < SAMPLES_MIN ? undefined : bytes * msPerByte),
    add(bytes: number, ms: number): void {
      samples += 1;
      msPerByte = Math.min(msPerByte, ms / bytes);
    },
  };
}
