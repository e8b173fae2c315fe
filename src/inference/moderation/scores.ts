import { forCategories, type ByCategory } from '../../base/moderation-categories.ts';
import type { LabelRule, ModerationRules } from '../../runtime/manifest.ts';

export type CategoryScores = ByCategory<number>;
export type Thresholds = Readonly<ByCategory<number>>;

/** Maps a classifier's labels to the categories of the contract, by the rules of its manifest. */
export function scoresByRules(
  { labels: rules = {} }: ModerationRules,
  labels: Readonly<Record<string, number>>,
): CategoryScores {
  return forCategories((category) => {
    const rule = rules[category];
    if (!rule) throw new Error(`The model has no rule for ${category}`);
    return applyRule(rule, labels);
  });
}

function applyRule(rule: LabelRule, labels: Readonly<Record<string, number>>): number {
  const scoreOf = (label: string) => labels[label] ?? 0;
  if ('leastOf' in rule) return Math.min(...rule.leastOf.map(scoreOf));
  return Math.max(0, ...rule.greatestOf.map(scoreOf));
}

export function toModeration(scores: CategoryScores, thresholds: Thresholds) {
  const categories = forCategories((category) => scores[category] >= thresholds[category]);
  return { flagged: Object.values(categories).some(Boolean), categories, scores };
}
