import { newId } from '../base/ids.ts';

/** A part of a conversation as its client sent or received it. */
export type Item = { id: string; type: string; [field: string]: unknown };

/** The key that stored it: only that key may read it, and the owner, who comes without a key. */
export type Caller = { accountId: string; keyId: string | null };

const PREFIXES: Record<string, string> = { message: 'msg', function_call: 'fc', reasoning: 'rs' };

/** Every stored item has a type, and an id by which clients refer to it. */
export function withId(item: Readonly<Record<string, unknown>>): Item {
  const { type = 'message', id } = item;
  const name = String(type);
  return { ...item, type: name, id: typeof id === 'string' ? id : newId(PREFIXES[name] ?? 'item') };
}

export type PageQuery = {
  after?: string | undefined;
  before?: string | undefined;
  limit?: number | undefined;
  order?: 'asc' | 'desc' | undefined;
};

/** A page of a list, in the shape that clients expect. */
export function page<One extends { id: string }>(
  items: readonly One[],
  { after, before, limit = 20, order = 'desc' }: PageQuery,
) {
  const ordered = order === 'asc' ? [...items] : items.toReversed();
  const from = after === undefined ? 0 : ordered.findIndex(({ id }) => id === after) + 1;
  const end = before === undefined ? -1 : ordered.findIndex(({ id }) => id === before);
  const left = ordered.slice(from, end === -1 ? undefined : end);
  const data = left.slice(0, limit);
  return {
    object: 'list' as const,
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: left.length > data.length,
  };
}
