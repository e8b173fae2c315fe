import type { WhisperTokens } from './tokens.ts';

/**
 * Whisper's timestamp rules: timestamps come in pairs and never go back, and one is forced if the model is surer of
 * some timestamp than of any word. Changes the logits of one step in place.
 */
export function applyRules(logits: Float32Array, decoded: readonly number[], tokens: WhisperTokens): void {
  const { end, timestamps, noTimestamps, firstTimestampMax } = tokens;
  for (const token of tokens.suppressed) if (token >= 0) logits[token] = -Infinity;
  logits.fill(-Infinity, end + 1, timestamps);
  logits[noTimestamps] = -Infinity;
  if (decoded.length === 0) {
    for (const token of tokens.suppressedAtStart) logits[token] = -Infinity;
    logits.fill(-Infinity, 0, timestamps);
    logits.fill(-Infinity, timestamps + firstTimestampMax + 1);
    return;
  }
  const isTimestamp = (token: number | undefined) => token !== undefined && token >= timestamps;
  const closesPair = isTimestamp(decoded.at(-1));
  const isOpen = decoded.length < 2 || isTimestamp(decoded.at(-2));
  if (closesPair && isOpen) logits.fill(-Infinity, timestamps);
  if (closesPair && !isOpen) logits.fill(-Infinity, 0, end);
  const latest = decoded.findLast(isTimestamp);
  if (latest !== undefined) {
    // The end of one segment may be the start of the next, but no segment may be empty.
    logits.fill(-Infinity, timestamps, closesPair && !isOpen ? latest : latest + 1);
  }
  preferTimestamp(logits, timestamps);
}

function preferTimestamp(logits: Float32Array, timestamps: number): void {
  let best = -Infinity;
  for (let token = 0; token < timestamps; token++) best = Math.max(best, logits[token] as number);
  let all = 0;
  for (let token = timestamps; token < logits.length; token++)
    all += Math.exp((logits[token] as number) - best);
  if (all > 1) logits.fill(-Infinity, 0, timestamps);
}

export type Choice = { token: number; logprob: number };

/** The most likely token, or a sampled one at a temperature. */
export function chooseToken(logits: Float32Array, temperature: number, random = Math.random): Choice {
  let [token, greatest] = [0, -Infinity];
  for (let index = 0; index < logits.length; index++) {
    const logit = logits[index] as number;
    if (logit > greatest) [token, greatest] = [index, logit];
  }
  if (temperature > 0) token = sample(logits, { temperature, greatest, random });
  let sum = 0;
  for (const logit of logits) sum += Math.exp(logit - greatest);
  return { token, logprob: (logits[token] as number) - greatest - Math.log(sum) };
}

type Sampling = { temperature: number; greatest: number; random: () => number };

function sample(logits: Float32Array, { temperature, greatest, random }: Sampling): number {
  const weights = logits.map((logit) => Math.exp((logit - greatest) / temperature));
  let rest = random() * weights.reduce((sum, weight) => sum + weight, 0);
  for (const [token, weight] of weights.entries()) {
    rest -= weight;
    if (rest < 0) return token;
  }
  return logits.indexOf(greatest);
}

export function probabilityOf(logits: Float32Array, token: number): number {
  let greatest = -Infinity;
  for (const logit of logits) greatest = Math.max(greatest, logit);
  let sum = 0;
  for (const logit of logits) sum += Math.exp(logit - greatest);
  return Math.exp((logits[token] ?? -Infinity) - greatest) / sum;
}
