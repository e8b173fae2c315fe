/** The categories of the contract, in its order. */
export const MODERATION_CATEGORIES = [
  'hate',
  'hate/threatening',
  'harassment',
  'harassment/threatening',
  'self-harm',
  'self-harm/intent',
  'self-harm/instructions',
  'sexual',
  'sexual/minors',
  'violence',
  'violence/graphic',
] as const;

export type ModerationCategory = (typeof MODERATION_CATEGORIES)[number];
export type ByCategory<Value> = Record<ModerationCategory, Value>;

export function forCategories<Value>(valueOf: (category: ModerationCategory) => Value): ByCategory<Value> {
  return Object.fromEntries(
    MODERATION_CATEGORIES.map((category) => [category, valueOf(category)]),
  ) as ByCategory<Value>;
}
