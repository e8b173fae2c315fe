import type { CallFormat } from './calls/call-format.ts';
import { triggersByText, triggersOf } from './calls/call-trigger.ts';
import type { AnswerTags, ReasoningTags } from './reasoning/reasoning-tags.ts';

type Placed = {
  thinking: Pick<ReasoningTags, 'begin' | 'end' | 'isAnywhere'> | undefined;
  tags?: AnswerTags | undefined;
  calls: { formats: readonly CallFormat[]; names: readonly string[] } | undefined;
};

/**
 * Tags that may start an answer or end the reasoning, and triggers of calls, each by the position at which it counts.
 */
export function locateTags({ thinking, tags, calls }: Placed) {
  const triggers = calls?.formats.flatMap((format) => triggersOf(format, calls.names)) ?? [];
  const { answer, otherAnswers = [], answerEnd, turn, skipped } = tags ?? {};
  const given = (texts: readonly (string | undefined)[]) => texts.filter((text) => text !== undefined);
  const atStart = triggersByText(triggers.filter(({ isAtStart }) => isAtStart));
  const amidWords = triggersByText(triggers.filter(({ isAtStart }) => !isAtStart));
  const withinThought = triggersByText(triggers.filter(({ formats }) => formats[0]?.endsThought));
  const answers = given([answer, ...otherAnswers]);
  const thinkingTags = thinking ? [thinking.begin, thinking.end] : [];
  return {
    isTag: (text: string) => thinkingTags.includes(text),
    atStart,
    amidWords,
    withinThought,
    openings: [...thinkingTags, ...answers, ...given([skipped]), ...atStart.keys()],
    openingsBehind: [...answers, ...given([skipped]), ...atStart.keys()],
    inThought: [
      ...given([thinking?.end, turn]),
      ...(turn === undefined ? answers : []),
      ...withinThought.keys(),
    ],
    inWords: [
      ...amidWords.keys(),
      ...given([answerEnd, turn]),
      ...(thinking?.isAnywhere ? thinkingTags : []),
    ],
  };
}
