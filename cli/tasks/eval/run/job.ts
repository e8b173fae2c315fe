import type { Client } from '../../../client/client.ts';
import type { Progress } from '../../text/progress.ts';
import type { Check, CheckResult } from '../checks/check.ts';
import type { EvalCase } from '../file/eval-file.ts';
import type { Asked, Asking } from './ask.ts';

/** One requested answer, and later its result. */
export type Job = {
  model: string;
  of: EvalCase;
  sample: number;
  asked?: Asked;
  /** In the order of the checks; a gap has yet to be checked. */
  results: (CheckResult | undefined)[];
};

/** A check that needs another model, and the answer that it is about. */
export type Open<Kind extends Check['kind']> = {
  job: Job;
  index: number;
  check: Check & { kind: Kind };
  answer: string;
};

export type Running = Asking & { owner: Client; progress: Progress };
