/** Which side of a chat is moderated. */
export const CHAT_MODERATION = ['off', 'input', 'output', 'both'] as const;
export type ChatModeration = (typeof CHAT_MODERATION)[number];
