import type { CheckResult } from '../checks/check.ts';
import { judgeRequest, readVerdict } from '../judge.ts';
import { ask } from './ask.ts';
import { judgesOf, type Plan } from './plan.ts';
import { inPool } from './pool.ts';
import { slotsOf } from './prepare.ts';
import type { Open, Running } from './job.ts';

/** One judge after another. The cost of judging is added to the answer that was judged. */
export async function judgeAnswers(
  open: readonly Open<'judge'>[],
  plan: Plan,
  running: Running,
): Promise<void> {
  const { owner, costs, progress } = running;
  for (const model of judgesOf(plan)) {
    const own = open.filter(({ check }) => (check.model ?? plan.judge) === model);
    if (own.length === 0) continue;
    const slots = plan.concurrency ?? (await slotsOf(owner, model));
    let done = 0;
    const judgeOne = async (each: Open<'judge'>) => {
      each.job.results[each.index] = await judge(model, each, running);
      progress.show(++done, own.length, `judge ${model}: `);
    };
    await inPool(own, slots, judgeOne, costs.isExhausted);
  }
}

async function judge(
  model: string,
  { job, check, answer }: Open<'judge'>,
  running: Running,
): Promise<CheckResult> {
  const request = judgeRequest(model, { rubric: check.rubric, messages: job.of.messages, answer });
  const { text, error, cost } = await ask(request, running);
  if (job.asked && cost !== null) job.asked.cost = (job.asked.cost ?? 0) + cost;
  if (error !== null)
    return { check: 'judge', outcome: 'error', reason: `The judge ${model} failed: ${error.message}` };
  return readVerdict(text, check);
}
