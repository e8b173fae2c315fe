import type { CallFormat } from './calls/call-format.ts';
import { triggersByText, triggersOf } from './calls/call-trigger.ts';
import type { AnswerMarks, ThoughtMarks } from './reasoning/reasoning-tags.ts';

type Placed = {
  thinking: Pick<ThoughtMarks, 'begin' | 'end' | 'isAnywhere'> | undefined;
  marks?: AnswerMarks | undefined;
  calls: { formats: readonly CallFormat[]; names: readonly string[] } | undefined;
};

/** What an answer may begin with, and what ends a thought; and the marks of calls, each by where it counts. */
export function placeMarks({ thinking, marks, calls }: Placed) {
  const triggers = calls?.formats.flatMap((format) => triggersOf(format, calls.names)) ?? [];
  const { answer, otherAnswers = [], answerEnd, turn, skipped } = marks ?? {};
  const given = (texts: readonly (string | undefined)[]) => texts.filter((text) => text !== undefined);
  const atStart = triggersByText(triggers.filter(({ isAtStart }) => isAtStart));
  const amidWords = triggersByText(triggers.filter(({ isAtStart }) => !isAtStart));
  const withinThought = triggersByText(triggers.filter(({ formats }) => formats[0]?.endsThought));
  const answers = given([answer, ...otherAnswers]);
  const tags = thinking ? [thinking.begin, thinking.end] : [];
  return {
    isTag: (text: string) => tags.includes(text),
    atStart,
    amidWords,
    withinThought,
    openings: [...tags, ...answers, ...given([skipped]), ...atStart.keys()],
    openingsBehind: [...answers, ...given([skipped]), ...atStart.keys()],
    inThought: [
      ...given([thinking?.end, turn]),
      ...(turn === undefined ? answers : []),
      ...withinThought.keys(),
    ],
    inWords: [...amidWords.keys(), ...given([answerEnd, turn]), ...(thinking?.isAnywhere ? tags : [])],
  };
}
