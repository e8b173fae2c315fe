import type { Api } from './api.ts';
import type { Line } from './lines.ts';
import { share, type Row } from './table.ts';

/** What can be said of an answer: it is the text, or it has it. */
const CHECKS: Readonly<Record<string, (answer: string, expect: string) => boolean>> = {
  exact: (answer, expect) => answer.trim() === expect.trim(),
  contains: (answer, expect) => answer.includes(expect),
};

/** The skills of the chat model, each beside the answer that is right most often. */
export async function evaluateChat(api: Api, lines: readonly Line[]): Promise<Row[]> {
  if (!(await api.isReady('svc-chat-v1'))) return [];
  const asked = lines.flatMap((line) => {
    const check = CHECKS[line.check ?? ''];
    return check && typeof line.expect === 'string' ? [{ ...line, check, expect: line.expect }] : [];
  });
  const rows: Row[] = [];
  for (const skill of new Set(asked.map((line) => line.skill))) {
    const own = asked.filter((line) => line.skill === skill);
    const right: boolean[] = [];
    for (const { messages, input = '', check, expect } of own) {
      right.push(check(await api.chat(messages ?? [{ role: 'user', content: input }]), expect));
    }
    const usual = mostFrequent(own.map(({ expect }) => expect));
    rows.push({
      model: 'chat',
      skill,
      measure: 'right',
      count: own.length,
      score: share(right, (isRight) => isRight),
      baseline: share(own, ({ check, expect }) => check(usual, expect)),
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
