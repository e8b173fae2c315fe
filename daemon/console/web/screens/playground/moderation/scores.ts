import type { ModerationResult } from '../../../../../../src/api/tasks/moderation.ts';

export type CategoryScore = { category: string; score: number; threshold: number; isFlagged: boolean };
export type ModeratedText = { text: string; isFlagged: boolean; scores: CategoryScore[] };

/** Each text with its categories: flagged ones first, the most likely before the others. */
export function toModerated(
  texts: readonly string[],
  { results, category_thresholds: thresholds }: ModerationResult,
): ModeratedText[] {
  return results.map(({ flagged, categories, category_scores: scores }, index) => ({
    text: texts[index] ?? '',
    isFlagged: flagged,
    scores: Object.entries(scores)
      .map(([category, score]) => ({
        ...{ category, score },
        threshold: thresholds[category] ?? 1,
        isFlagged: categories[category] ?? false,
      }))
      .sort((one, other) => Number(other.isFlagged) - Number(one.isFlagged) || other.score - one.score),
  }));
}
