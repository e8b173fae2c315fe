import { EMBEDDING_INPUTS_MAX } from '../../../../src/api/account/limits.ts';
import { checkSimilarity } from '../checks/similarity.ts';
import { RETRIES } from './ask.ts';
import type { Plan } from './plan.ts';
import type { Open, Running } from './job.ts';

/** Embeds each text once, however many answers are compared with it. */
export async function compareMeanings(
  open: readonly Open<'similar'>[],
  { embed: model }: Plan,
  { client, costs, progress }: Running,
): Promise<void> {
  const texts = [...new Set(open.flatMap(({ check, answer }) => [...check.texts, answer]))].filter(
    (text) => text.trim() !== '',
  );
  const vectors = new Map<string, readonly number[]>();
  for (let start = 0; start < texts.length; start += EMBEDDING_INPUTS_MAX) {
    if (costs.isExhausted()) return;
    const input = texts.slice(start, start + EMBEDDING_INPUTS_MAX);
    const { data, cost } = await client.embed({ model, input }, RETRIES);
    costs.add(cost.total_usd);
    for (const { index, embedding } of data)
      if (typeof embedding !== 'string') vectors.set(input[index] ?? '', embedding);
    progress.show(start + input.length, texts.length, 'meanings: ');
  }
  for (const { job, index, check, answer } of open)
    job.results[index] = checkSimilarity(check, answer, vectors);
}
