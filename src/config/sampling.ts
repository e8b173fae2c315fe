/** How the next token is chosen. */
export type Sampling = {
  temperature: number;
  topP: number;
  /** Top-k, 0 for all; the engine's default when absent. */
  topK?: number;
  /** Min-p, relative to the most likely token. */
  minP?: number;
  /** Locally typical sampling: 1 is off. */
  typicalP?: number;
  /** Divides the logits of repeated tokens; 1 is off. */
  repeatPenalty?: number;
  /** The window of all penalties, in tokens; -1 for all. */
  repeatLastTokens?: number;
  presencePenalty: number;
  frequencyPenalty: number;
  seed?: number;
};
