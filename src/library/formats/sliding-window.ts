/** How many layers have a sliding window, and so keep no longer context than that. */
export type SlidingWindow = { tokens: number; layers: number };

/**
 * The pattern of families whose files do not state it, as in llama.cpp: every n-th layer is dense, either the last of
 * n or the first.
 */
const PERIODS: Readonly<Record<string, { period: number; isDenseFirst?: true }>> = {
  afmoe: { period: 4 },
  cohere2: { period: 4 },
  cohere2moe: { period: 4, isDenseFirst: true },
  exaone4: { period: 4 },
  'exaone-moe': { period: 4 },
  gemma2: { period: 2 },
  gemma3: { period: 6 },
  gemma3n: { period: 5 },
  'gpt-oss': { period: 2 },
  olmo2: { period: 4 },
  plamo3: { period: 8 },
  smallthinker: { period: 4, isDenseFirst: true },
};

type Facts = {
  architecture: string;
  layers: number;
  windowTokens: number | undefined;
  /** The pattern in the file: a period, or the number of windowed layers in an array. */
  period: number | undefined;
  windowedLayers: number | undefined;
};

/** Undefined if every layer is dense. */
export function slidingWindowOf(facts: Facts): SlidingWindow | undefined {
  const { architecture, layers, windowTokens, windowedLayers } = facts;
  if (!windowTokens) return undefined;
  if (windowedLayers !== undefined) return { tokens: windowTokens, layers: windowedLayers };
  const known = PERIODS[architecture];
  const period = facts.period ?? known?.period;
  if (!period) return undefined;
  const dense = known?.isDenseFirst ? Math.ceil(layers / period) : Math.floor(layers / period);
  return { tokens: windowTokens, layers: layers - dense };
}
