import { checkAnswer } from '../checks/check-answer.ts';
import type { Check } from '../checks/check.ts';
import { outcomeOf, toCaseResult, toModelResult, type ModelResult } from '../results.ts';
import { ask, type Asked } from './ask.ts';
import type { Job, Open, Running } from './job.ts';
import { messagesOf } from './attachments.ts';
import { compareMeanings } from './meanings.ts';
import { judgeAnswers } from './judges.ts';
import type { Plan } from './plan.ts';
import { inPool } from './pool.ts';
import { slotsOf } from './prepare.ts';

export type Ran = { models: ModelResult[]; isComplete: boolean };

/**
 * Asks all models, then compares meanings, then asks the judges, one after another, so that each model is loaded
 * once. If it is interrupted, the result is what was done so far.
 */
export async function runPlan(plan: Plan, running: Running): Promise<Ran> {
  const jobs = plan.models.flatMap((model) => jobsOf(model, plan));
  const { signal, progress } = running;
  try {
    for (const model of plan.models) await askModel(model, jobs, plan, running);
    await compareMeanings(openOf(jobs, 'similar'), plan, running);
    await judgeAnswers(openOf(jobs, 'judge'), plan, running);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    progress.end();
  }
  return {
    models: plan.models.map((model) => resultOf(model, jobs, plan)),
    isComplete: jobs.every(isDone),
  };
}

function jobsOf(model: string, { cases, samples, file }: Plan): Job[] {
  return cases.flatMap((of) => {
    const conversation = { ...of, messages: messagesOf(of, file.path) };
    const count = samples ?? of.samples;
    return Array.from({ length: count }, (_, sample) => ({ model, of: conversation, sample, results: [] }));
  });
}

async function askModel(model: string, all: readonly Job[], plan: Plan, running: Running): Promise<void> {
  const jobs = all.filter((job) => job.model === model);
  const { owner, costs, progress } = running;
  const slots = plan.concurrency ?? (await slotsOf(owner, model));
  let done = 0;
  const answerOne = async (job: Job) => {
    job.asked = await ask(requestOf(job, plan), running);
    job.results = localResults(job, job.asked);
    progress.show(++done, jobs.length, `${model}: `);
  };
  await inPool(jobs, slots, answerOne, costs.isExhausted);
}

function requestOf({ model, of, sample }: Job, { seed }: Plan) {
  const seeded = seed === undefined ? {} : { seed: seed + sample };
  return {
    ...{ ...of.request, ...seeded, model },
    messages: [...of.messages],
    stream_options: { include_usage: true },
  };
}

function localResults({ of }: Job, { text, tool_calls: toolCalls, error }: Asked) {
  if (error !== null) return [];
  return of.checks.map((check) =>
    check.kind === 'similar' || check.kind === 'judge' ? undefined : checkAnswer(check, { text, toolCalls }),
  );
}

/** Answers that have already failed need no judge. */
function openOf<Kind extends Check['kind']>(jobs: readonly Job[], kind: Kind): Open<Kind>[] {
  return jobs.flatMap((job) =>
    job.results.some((result) => result?.outcome === 'failed')
      ? []
      : job.of.checks.flatMap((check, index) =>
          check.kind === kind && job.asked?.error === null
            ? [{ job, index, check: check as Check & { kind: Kind }, answer: job.asked.text }]
            : [],
        ),
  );
}

function isDone({ asked, results }: Job): boolean {
  if (asked === undefined) return false;
  const isFailed = results.some((result) => result?.outcome === 'failed');
  return asked.error !== null || isFailed || !results.includes(undefined);
}

function resultOf(model: string, jobs: readonly Job[], { cases }: Plan): ModelResult {
  const done = jobs.filter((job) => job.model === model && isDone(job));
  return toModelResult(
    model,
    cases.map(({ name }) =>
      toCaseResult(
        name,
        done.filter(({ of }) => of.name === name).flatMap((job) => sampleOf(job)),
      ),
    ),
  );
}

function sampleOf({ sample, asked, results }: Job) {
  if (asked === undefined) return [];
  const checks = results.filter((result) => result !== undefined);
  return [{ sample, outcome: outcomeOf({ ...asked, checks }), ...asked, checks }];
}
