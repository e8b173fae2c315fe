import type { AnswerPlan } from './answer-plan.ts';
import type { CallFormat } from './calls/call-format.ts';

/** Every tag that separates reasoning, content and calls; some may be control tokens. */
export function tagTexts({
  thinking,
  tags,
  calls,
}: Pick<AnswerPlan, 'thinking' | 'tags' | 'calls'>): string[] {
  const { answer, otherAnswers = [], answerEnd, turn, skipped } = tags ?? {};
  const ofAnswers = [answer, ...otherAnswers, answerEnd, turn, skipped];
  const texts = [thinking?.begin, thinking?.end, ...ofAnswers, ...(calls?.formats ?? []).flatMap(textsOf)];
  return texts.filter((text) => text !== undefined && text !== '') as string[];
}

function textsOf({ before, middle, between, after, ending, parameters, notation }: CallFormat) {
  const { first, none, middle: inner, json, end, next, last } = parameters ?? {};
  const ofParameters = [first, none, inner, json, end, next, last];
  return [before, middle, between, after, ending, ...ofParameters, ...(notation?.marks ?? [])];
}
