import { didYouMean } from '../../../../src/base/did-you-mean.ts';
import { Failure } from '../../../../src/base/errors.ts';
import type { Check } from '../checks/check.ts';
import type { EvalCase, EvalFile } from '../file/eval-file.ts';

export type Plan = {
  file: EvalFile;
  models: readonly string[];
  cases: readonly EvalCase[];
  /** Overrides what the file says. */
  samples: number | undefined;
  seed: number | undefined;
  concurrency: number | undefined;
  judge: string;
  embed: string;
};

export const DEFAULT_MODEL = 'svc-chat-v1';
const DEFAULT_EMBED = 'svc-embed-v1';

type Wanted = {
  model?: readonly string[];
  samples?: number;
  seed?: number;
  concurrency?: number;
  judge?: string;
  embed?: string;
  filter?: string;
};

/** The options, then the file, then the services. */
export function toPlan(file: EvalFile, wanted: Wanted): Plan {
  const named = wanted.model ?? (file.models.length > 0 ? file.models : [DEFAULT_MODEL]);
  return {
    file,
    models: [...new Set(named)],
    cases: filtered(file, wanted.filter),
    samples: wanted.samples,
    seed: wanted.seed,
    concurrency: wanted.concurrency,
    judge: wanted.judge ?? file.judge ?? DEFAULT_MODEL,
    embed: wanted.embed ?? file.embed ?? DEFAULT_EMBED,
  };
}

function filtered({ cases, path }: EvalFile, filter: string | undefined): readonly EvalCase[] {
  if (filter === undefined) return cases;
  const chosen = cases.filter(({ name }) => name.toLowerCase().includes(filter.toLowerCase()));
  if (chosen.length > 0) return chosen;
  const near = didYouMean(
    filter,
    cases.map(({ name }) => name),
  );
  throw new Failure('invalid_value', `No case of ${path} has "${filter}" in its name.${near}`);
}

/** Every model that judges an answer of this plan. */
export function judgesOf({ cases, judge }: Plan): string[] {
  return [...new Set(checksOf(cases, 'judge').map(({ model }) => model ?? judge))];
}

export function comparesMeanings({ cases }: Plan): boolean {
  return checksOf(cases, 'similar').length > 0;
}

function checksOf<Kind extends Check['kind']>(cases: readonly EvalCase[], kind: Kind) {
  return cases.flatMap(({ checks }) =>
    checks.filter((check): check is Check & { kind: Kind } => check.kind === kind),
  );
}
