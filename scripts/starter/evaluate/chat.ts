import type { Sample } from '../chat/sample.ts';
import type { Api } from './api.ts';
import { GROUPS, samplesOfGroup } from './chat-skills.ts';
import { share, type Row } from './table.ts';

/** The skills of the chat model, each beside the answer that is right most often. */
export async function evaluateChat(api: Api, only?: string): Promise<Row[]> {
  if (!(await api.isReady('svc-chat-v1'))) return [];
  const answers = new Map<Sample, string>();
  const rows: Row[] = [];
  let asked: Sample[] = [];
  for (const group of GROUPS) {
    const { skill, measure, isRight } = group;
    if (only !== undefined && only !== skill) continue;
    // The same answers, judged in another way, are not asked for again.
    if (skill !== rows.at(-1)?.skill) asked = samplesOfGroup(group);
    for (const sample of asked) {
      if (!answers.has(sample)) answers.set(sample, await api.chat(sample));
    }
    const usual = mostFrequent(asked.map(({ answer }) => answer));
    rows.push({
      model: 'chat',
      skill,
      measure,
      count: asked.length,
      score: share(asked, (sample) => isRight(answers.get(sample) ?? '', sample)),
      baseline: share(asked, (sample) => isRight(usual, sample)),
      baselineName: 'most frequent answer',
    });
  }
  return rows;
}

function mostFrequent(texts: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? '';
}
