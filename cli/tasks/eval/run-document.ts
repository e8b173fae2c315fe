import { Failure } from '../../../src/base/errors.ts';
import { differenceOf, type Difference, type ModelResult } from './results.ts';

/** What `--json` prints and `--save` writes. */
export type RunDocument = {
  schema: 'eval/1';
  file: string;
  started_at: string;
  duration_ms: number;
  /** False if it was interrupted, or stopped at its cost limit. */
  complete: boolean;
  seed: number | null;
  cost: number | null;
  models: readonly ModelResult[];
  /** Each against the first model. */
  differences: readonly Difference[];
  /** Each against the same model of an earlier run. */
  comparison?: { file: string; differences: readonly Difference[] };
};

export function readRun(text: string, path: string): RunDocument {
  const document = parse(text) as Partial<RunDocument> | null | undefined;
  if (document?.schema === 'eval/1' && Array.isArray(document.models)) return document as RunDocument;
  throw new Failure('invalid_value', `${path} is not a run of askd eval.`, {
    details: { fix: 'askd eval FILE --save RUN.json writes one' },
  });
}

/** If each run has one model, they are compared whatever their names; otherwise those with the same name. */
export function compareRuns(earlier: RunDocument, models: readonly ModelResult[]): Difference[] {
  const [only] = earlier.models;
  if (only && earlier.models.length === 1 && models.length === 1)
    return models.map((model) => differenceOf(only, model));
  return models.flatMap((model) => {
    const before = earlier.models.find((each) => each.model === model.model);
    return before ? [differenceOf(before, model)] : [];
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
