import { forCategories, MODERATION_CATEGORIES } from './moderation-categories.ts';
import { asObject, type Shape } from './setting-values.ts';

/** From which score on a text is flagged for a category. */
export const MODERATION_THRESHOLDS = forCategories(() => 0.5);

export const THRESHOLDS: Shape = {
  parse: asThresholds,
  expects: 'numbers from 0 to 1 by category, such as {"hate":0.4}',
};

/** A number from 0 to 1 for some categories; the others keep theirs. In the environment it is JSON. */
function asThresholds(value: unknown): typeof MODERATION_THRESHOLDS | undefined {
  const given = typeof value === 'string' ? asObject(value) : value;
  if (typeof given !== 'object' || given === null) return undefined;
  const isUsable = ([category, threshold]: [string, unknown]) =>
    MODERATION_CATEGORIES.some((known) => known === category) &&
    typeof threshold === 'number' &&
    threshold >= 0 &&
    threshold <= 1;
  if (!Object.entries(given).every(isUsable)) return undefined;
  return { ...MODERATION_THRESHOLDS, ...given };
}
