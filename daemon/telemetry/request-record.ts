import type { SettledRequest, Stage } from '../../src/inference/metered.ts';

/** A request that is being answered. */
export type RequestRecord = {
  id: string;
  traceparent: string | undefined;
  /** From performance.now(), like the stages. */
  beganMs: number;
  stages: Map<Stage, number>;
  /** Known once a model is found: names that clients send never become labels. */
  model: string;
  settled: SettledRequest | undefined;
};

/** `code` is the error's code, if it is an error. */
export type Answered = { route: string; method: string; status: number; code: string | undefined };
