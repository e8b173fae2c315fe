import { readFileSync, writeFileSync } from 'node:fs';
import { Failure } from '../../../src/base/errors.ts';
import { readEvalFile } from './file/read-file.ts';
import { FILE_SCHEMA } from './file/schema.ts';
import { toJUnit } from './junit.ts';
import { differenceOf } from './results.ts';
import { compareRuns, readRun, type RunDocument } from './run-document.ts';
import type { EvalOptions } from './options.ts';
import type { Context } from '../../context.ts';
import { refuseFolder } from '../batch/request-file.ts';
import { createProgress } from '../text/progress.ts';
import { createCosts } from './run/costs.ts';
import { comparesMeanings, judgesOf, toPlan, type Plan } from './run/plan.ts';
import { reportText } from './report.ts';
import { runPlan, type Ran } from './run/run-plan.ts';

export function printSchema({ output }: Context): void {
  output.line(JSON.stringify(FILE_SCHEMA, null, 2));
}

/** Everything that can be wrong is detected before the first request. */
export async function evaluateFile(
  context: Context,
  path: string | undefined,
  options: EvalOptions,
): Promise<number> {
  if (path === undefined)
    throw new Failure('missing_required_parameter', 'There is no file of cases.', {
      details: { fix: 'askd eval FILE; docs/evals.md describes it' },
    });
  const plan = toPlan(readEvalFile(read(path), path), options);
  const earlier = options.compare === undefined ? undefined : readRun(read(options.compare), options.compare);
  for (const target of [options.save, options.junit]) if (target !== undefined) refuseFolder(target);
  const { client, owner } = await connect(context);
  await Promise.all(modelsOf(plan).map((model) => client.model(model)));
  const costs = createCosts(owner, options.maxCost ?? Infinity);
  const startedAt = new Date();
  const progress = createProgress(context);
  const ran = await runPlan(plan, { client, owner, costs, progress, signal: context.signal });
  const run = {
    ...toDocument(plan, ran, startedAt),
    cost: costs.spent(),
    ...(earlier && {
      comparison: { file: options.compare ?? '', differences: compareRuns(earlier, ran.models) },
    }),
  };
  return finish(run, context, options);
}

/**
 * The owner may see what requests cost, and load models. On a server that is not ours, that is the holder of the key.
 */
async function connect({ connect, environment, options }: Context) {
  const client = await connect('inference');
  const isElsewhere = options.host === undefined && Boolean(environment.baseUrl);
  return { client, owner: isElsewhere ? client : await connect('control') };
}

function modelsOf(plan: Plan): string[] {
  return [...new Set([...plan.models, ...judgesOf(plan), ...(comparesMeanings(plan) ? [plan.embed] : [])])];
}

function toDocument(plan: Plan, { models, isComplete }: Ran, startedAt: Date): RunDocument {
  const [first, ...others] = models;
  return {
    schema: 'eval/1',
    file: plan.file.path,
    started_at: startedAt.toISOString(),
    duration_ms: Date.now() - startedAt.getTime(),
    complete: isComplete,
    seed: plan.seed ?? null,
    cost: null,
    models,
    differences: first === undefined ? [] : others.map((other) => differenceOf(first, other)),
  };
}

function finish(run: RunDocument, { output, signal }: Context, options: EvalOptions): number {
  if (options.save !== undefined) writeFileSync(options.save, `${JSON.stringify(run, null, 2)}\n`);
  if (options.junit !== undefined) writeFileSync(options.junit, toJUnit(run));
  output.result(run, () => reportText(run, output));
  if (signal.aborted) throw signal.reason;
  if (!run.complete) output.talk(`Stopped: the ${options.maxCost} credits of --max-cost are spent.`);
  const isEnough = run.models.every(
    ({ rate, errors }) => errors === 0 && rate !== null && rate >= options.atLeast,
  );
  return run.complete && isEnough ? 0 : 1;
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new Failure('not_found', `The file ${path} cannot be read.`, {
      cause,
      details: { fix: `ls -l ${path}` },
    });
  }
}
