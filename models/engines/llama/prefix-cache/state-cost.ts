/** Below this, finding out costs as much as it saves. */
const RESTORED_TOKENS_MIN = 32;
/** Many short requests come once and never again. */
const KEPT_TOKENS_MIN = 256;
/** Not every conversation goes on. */
const KEPT_MARGIN = 2;

export type Costs = {
  /** Tokens that need no prefill then. */
  tokens: number;
  /** How long their prefill takes, and how long the state takes; undefined before the first measurement. */
  prefillMs: number | undefined;
  stateMs: number | undefined;
};

/** Whether a state costs less than prefilling again. */
export function paysOff(use: 'keep' | 'restore', { tokens, prefillMs, stateMs }: Costs): boolean {
  const [tokensMin, margin] = use === 'keep' ? [KEPT_TOKENS_MIN, KEPT_MARGIN] : [RESTORED_TOKENS_MIN, 1];
  if (tokens < tokensMin) return false;
  return prefillMs === undefined || stateMs === undefined || margin * stateMs < prefillMs;
}

/** How large states are and how long they take, as measured here. */
export function createStateCost() {
  let bytesPerToken = 0;
  // The best of all: a busy moment must not decide for good.
  let saveMsPerByte = Infinity;
  let restoreMsPerByte = Infinity;
  const known = (ms: number) => (Number.isFinite(ms) ? ms : undefined);
  const bytesOf = (tokens: number) => tokens * bytesPerToken;

  return {
    /** 0 before the first was saved. */
    bytesOf,
    /** To save it and, another time, to restore it. */
    keepMs(tokens: number): number | undefined {
      return known(bytesOf(tokens) * (saveMsPerByte + Math.min(restoreMsPerByte, saveMsPerByte)));
    },
    restoreMs: (bytes: number) => known(bytes * restoreMsPerByte),
    onSaved({ bytes, tokens, ms }: { bytes: number; tokens: number; ms: number }): void {
      bytesPerToken = bytes / tokens;
      saveMsPerByte = Math.min(saveMsPerByte, ms / bytes);
    },
    onRestored({ bytes, ms }: { bytes: number; ms: number }): void {
      restoreMsPerByte = Math.min(restoreMsPerByte, ms / bytes);
    },
  };
}
