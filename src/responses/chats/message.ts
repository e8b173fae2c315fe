/** A message as its client sent it. */
export type Message = {
  id: string;
  parent?: string;
  role: string;
  content?: string | readonly { type: string; text?: string }[];
  [field: string]: unknown;
};

const TITLE_LENGTH_MAX = 80;
const NAME_LENGTH_MAX = 40;

/** The text of a message for people: pictures and files are left out. */
export function textOf({ content = '' }: Pick<Message, 'content'>): string {
  if (typeof content === 'string') return content;
  return content.flatMap(({ text }) => text ?? []).join('\n');
}

/** The first line of the first question. */
export function titleOf(messages: readonly Message[]): string | undefined {
  const question = messages.find(({ role }) => role === 'user');
  if (question === undefined) return undefined;
  const line = textOf(question).trim().split('\n')[0]?.replace(/\s+/g, ' ') ?? '';
  const title =
    line.length > TITLE_LENGTH_MAX ? `${[...line].slice(0, TITLE_LENGTH_MAX - 1).join('')}…` : line;
  return title || 'Untitled';
}

/** A name that can be typed, derived from a title. */
export function nameFrom(title: string): string {
  const plain = title.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const words = plain.replace(/[^a-z0-9]+/g, '-').replace(/^-+/, '');
  const cut = words.length > NAME_LENGTH_MAX ? words.slice(0, NAME_LENGTH_MAX).replace(/-[^-]*$/, '') : words;
  return cut.replace(/-+$/, '') || 'chat';
}
