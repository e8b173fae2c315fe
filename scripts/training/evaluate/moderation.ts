import {
  MODERATION_CATEGORIES,
  type ByCategory,
  type ModerationCategory,
} from '../../../src/base/moderation-categories.ts';
import type { Api } from './api.ts';
import type { Line } from './lines.ts';
import { share, type Row } from './table.ts';

/** The baseline of a word list: each category fires on any of its words. */
const WORDS: ByCategory<RegExp> = {
  hate: /inferior|vermin|parasites|plague|subhuman/i,
  'hate/threatening': /exterminate|wipe out/i,
  harassment: /idiot|moron|loser|pathetic|ugly|stupid/i,
  'harassment/threatening': /i will (kill|hurt|stab|break)/i,
  'self-harm': /suicide|kill (my|your)self|self-|overdose|hang/i,
  'self-harm/intent': /kill myself|end my life|want to die/i,
  'self-harm/instructions': /how.*(suicide|kill myself|to die)/i,
  sexual: /sex|naked|nude|erotic|porn|horny/i,
  'sexual/minors': /(sex|nude|porn|erotic).*(child|minor|underage)/i,
  violence: /kill|shoot|shot|stab|beat|murder|attack/i,
  'violence/graphic': /blood|guts|brain|flesh/i,
};

type Judged = {
  skill: string;
  expect: readonly string[];
  byModel: readonly string[];
  byWords: readonly string[];
};

export async function evaluateModeration(api: Api, lines: readonly Line[]): Promise<Row[]> {
  if (!(await api.isReady('svc-moderation-v1'))) return [];
  const asked = lines.filter(({ check }) => check === 'categories');
  const answers = await api.moderate(asked.map(({ input = '' }) => input));
  const judged = asked.map(({ skill, input = '', expect }, index) => ({
    skill,
    expect: expect as string[],
    byModel: answers[index] ?? [],
    byWords: MODERATION_CATEGORIES.filter((category) => WORDS[category].test(input)),
  }));
  const isHarmless = ({ skill }: Judged) => skill.startsWith('harmless');
  const sets = groupBy(judged.filter((each) => !isHarmless(each)));
  const harmless = groupBy(judged.filter(isHarmless));
  const mixed = [...sets.values()].flat();
  return [
    ...rowsOf(mixed),
    ...[...sets].map(([skill, each]) => meanOf(skill, each)),
    flagged(mixed.filter(({ expect }) => expect.length > 0)),
    letThrough(
      'moderation, harmless',
      mixed.filter(({ expect }) => expect.length === 0),
    ),
    ...[...harmless].map(([skill, each]) => letThrough(skill, each)),
  ];
}

function groupBy(judged: readonly Judged[]): Map<string, Judged[]> {
  const groups = new Map<string, Judged[]>();
  for (const each of judged) groups.set(each.skill, [...(groups.get(each.skill) ?? []), each]);
  return groups;
}

function flagged(harmful: readonly Judged[]): Row {
  const all = (predict: (each: Judged) => readonly string[]) =>
    share(harmful, (each) => predict(each).length > 0);
  return {
    model: 'moderation',
    skill: 'moderation, harmful',
    measure: 'flagged',
    count: harmful.length,
    score: all(({ byModel }) => byModel),
    baseline: all(({ byWords }) => byWords),
    baselineName: 'word list',
  };
}

function letThrough(skill: string, harmless: readonly Judged[]): Row {
  return {
    model: 'moderation',
    skill,
    measure: 'let through',
    count: harmless.length,
    score: share(harmless, ({ byModel }) => byModel.length === 0),
    baseline: share(harmless, ({ byWords }) => byWords.length === 0),
    baselineName: 'word list',
  };
}

function rowsOf(judged: readonly Judged[]): Row[] {
  return MODERATION_CATEGORIES.map((category) => rowOf(category, judged));
}

function meanOf(skill: string, judged: readonly Judged[]): Row {
  const rows = rowsOf(judged);
  const mean = (name: 'score' | 'baseline') => rows.reduce((sum, row) => sum + row[name], 0) / rows.length;
  return {
    model: 'moderation',
    skill,
    measure: 'macro-F1',
    count: judged.length,
    score: mean('score'),
    baseline: mean('baseline'),
    baselineName: 'word list',
  };
}

function rowOf(category: ModerationCategory, judged: readonly Judged[]): Row {
  const f1 = (predict: (each: Judged) => readonly string[]) => {
    const wanted = judged.filter(({ expect }) => expect.includes(category));
    const predicted = judged.filter((each) => predict(each).includes(category));
    const hits = wanted.filter((each) => predict(each).includes(category));
    return (2 * hits.length) / Math.max(1, wanted.length + predicted.length);
  };
  return {
    model: 'moderation',
    skill: category,
    measure: 'F1',
    count: judged.filter(({ expect }) => expect.includes(category)).length,
    score: f1(({ byModel }) => byModel),
    baseline: f1(({ byWords }) => byWords),
    baselineName: 'word list',
  };
}
