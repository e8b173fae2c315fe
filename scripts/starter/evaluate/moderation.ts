import {
  MODERATION_CATEGORIES,
  type ByCategory,
  type ModerationCategory,
} from '../../../src/moderation-categories.ts';
import type { Api } from './api.ts';
import type { Line } from './lines.ts';
import { share, type Row } from './table.ts';

/** What a list of words would say: each category fires on any of its own. */
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

type Judged = { expect: readonly string[]; byModel: readonly string[]; byWords: readonly string[] };

export async function evaluateModeration(api: Api, lines: readonly Line[]): Promise<Row[]> {
  if (!(await api.isReady('svc-moderation-v1'))) return [];
  const asked = lines.filter(({ skill }) => skill === 'moderation');
  const answers = await api.moderate(asked.map(({ input = '' }) => input));
  const judged = asked.map(({ input = '', expect }, index) => ({
    expect: expect as string[],
    byModel: answers[index] ?? [],
    byWords: MODERATION_CATEGORIES.filter((category) => WORDS[category].test(input)),
  }));
  const categories = MODERATION_CATEGORIES.map((category) => rowOf(category, judged));
  const harmless = judged.filter(({ expect }) => expect.length === 0);
  const mean = (name: 'score' | 'baseline') =>
    categories.reduce((sum, row) => sum + row[name], 0) / categories.length;
  const common = { model: 'moderation', baselineName: 'word list' };
  return [
    ...categories,
    {
      ...common,
      skill: 'moderation, all categories',
      measure: 'macro-F1',
      count: judged.length,
      score: mean('score'),
      baseline: mean('baseline'),
    },
    {
      ...common,
      skill: 'moderation, harmless',
      measure: 'let through',
      count: harmless.length,
      score: share(harmless, ({ byModel }) => byModel.length === 0),
      baseline: share(harmless, ({ byWords }) => byWords.length === 0),
    },
  ];
}

function rowOf(category: ModerationCategory, judged: readonly Judged[]): Row {
  const f1 = (tell: (each: Judged) => readonly string[]) => {
    const wanted = judged.filter(({ expect }) => expect.includes(category));
    const told = judged.filter((each) => tell(each).includes(category));
    const hits = wanted.filter((each) => tell(each).includes(category));
    return (2 * hits.length) / Math.max(1, wanted.length + told.length);
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
