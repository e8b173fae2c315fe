import type { Sample } from '../chat/sample.ts';
import type { ModelName } from '../chat/models.ts';
import type { Api } from './api.ts';
import { GROUPS, samplesOfGroup } from './chat-skills.ts';
import { share, type Row } from './table.ts';

/** The service under which a model is asked; the word model serves two, with the same answers. */
const SERVICES = { chat: 'svc-chat-v1', words: 'svc-code-v1' } as const;
const ASKED = { chat: 48, words: 200 } as const;

/** The skills of a chat model, each compared with the answer that is right most often. */
export async function evaluateChat(api: Api, model: ModelName, only?: string): Promise<Row[]> {
  const service = SERVICES[model];
  if (!(await api.isReady(service))) return [];
  const answers = new Map<Sample, string>();
  const rows: Row[] = [];
  let asked: Sample[] = [];
  for (const group of GROUPS[model]) {
    const { skill, measure, isRight } = group;
    if (only !== undefined && only !== skill) continue;
    // The same answers, scored differently, are not requested again.
    if (skill !== rows.at(-1)?.skill) asked = samplesOfGroup(model, group, ASKED[model]);
    for (const sample of asked) {
      if (!answers.has(sample)) answers.set(sample, await api.chat(service, sample));
    }
    const usual = mostFrequent(asked.map(({ answer }) => answer));
    rows.push({
      model,
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
