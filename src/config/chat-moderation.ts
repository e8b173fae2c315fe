/** Whose words in a chat are judged before they are passed on. */
export const CHAT_MODERATION = ['off', 'input', 'output', 'both'] as const;
export type ChatModeration = (typeof CHAT_MODERATION)[number];
