import { loadAll } from '../../../cli/command-line/load-commands.ts';
import { ENDPOINTS } from '../../../src/api/endpoints.ts';
import { ask } from '../chat/sample.ts';
import type { Api } from './api.ts';
import { createBm25 } from './bm25.ts';
import type { Line } from './lines.ts';
import { share, type Row } from './table.ts';

/** The command or the endpoint in the first code of an answer: of `askd keys show ask_AbC1` that is keys show. */
export function namedIn(answer: string, commands: readonly string[]): string | undefined {
  const [, code = ''] = /`([^`]*)`/.exec(answer) ?? [];
  if (!code.startsWith('askd ')) return code || undefined;
  const words = `${code.slice('askd '.length)} `;
  return commands.filter((name) => words.startsWith(`${name} `)).sort((a, b) => b.length - a.length)[0];
}

/** Questions as people ask them, which no generator wrote; beside a search for their words in the summaries. */
export async function evaluateHelp(api: Api, lines: readonly Line[], only?: string): Promise<Row[]> {
  if (!(await api.isReady('svc-chat-v1'))) return [];
  const commands = await loadAll();
  const names = commands.map(({ name }) => name);
  const topics = [
    ...commands.map(({ name, summary }) => ({ name, text: `${name}: ${summary}` })),
    ...ENDPOINTS.map(({ method, path, summary }) => ({
      name: `${method} ${path}`,
      text: `${path}: ${summary}`,
    })),
  ];
  const search = createBm25(topics.map(({ text }) => text));
  const asked = lines.filter(({ check, skill }) => check === 'command' && (only ?? skill) === skill);
  const rows = new Map<string, { byModel: boolean; byWords: boolean }[]>();
  for (const { skill, input = '', expect } of asked) {
    const isRight = (name = '') => (expect as string[]).includes(name);
    const byModel = isRight(namedIn(await api.chat('svc-chat-v1', ask(input, '')), names));
    const byWords = isRight(topics[search(input)[0] ?? -1]?.name);
    rows.set(skill, [...(rows.get(skill) ?? []), { byModel, byWords }]);
  }
  return [...rows].map(([skill, answers]) => ({
    model: 'chat',
    skill,
    measure: 'right command',
    count: answers.length,
    score: share(answers, ({ byModel }) => byModel),
    baseline: share(answers, ({ byWords }) => byWords),
    baselineName: 'BM25',
  }));
}
