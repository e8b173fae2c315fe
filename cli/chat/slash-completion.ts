import type { Client } from '../client/client.ts';
import { listChats, type ChatStore } from './saved-chats.ts';
import { SETTABLE } from './set-option.ts';
import { SLASH_COMMANDS } from './slash-commands.ts';
import type { Talk } from './talk.ts';

/** The candidates, and the part of the line that they replace. */
export type Offer = [candidates: string[], part: string];
/** Synchronous where possible: keys typed next must find the result. */
export type Complete = (line: string) => Offer | Promise<Offer>;

const A_TAB: Offer = [['\t'], ''];

/** Tab completes slash commands and their arguments; in a message it is a tab. */
export function createCompletion(client: Pick<Client, 'models'>, { saved }: Pick<Talk, 'saved'>): Complete {
  return (line) => {
    if (!line.startsWith('/')) return A_TAB;
    const [, name = '', argument] = /^(\/\S*)(?:\s+(\S*))?$/.exec(line) ?? [];
    if (name === '') return [[], line];
    if (argument === undefined)
      return offer(
        name,
        SLASH_COMMANDS.map((each) => each.name),
      );
    if (name === '/model') return offerModels(client, argument);
    if (name === '/load' || name === '/save') return offerChats(saved.store, argument);
    return offer(argument, name === '/set' ? SETTABLE : []);
  };
}

/** Without a running daemon there are no candidates. */
async function offerModels(client: Pick<Client, 'models'>, part: string): Promise<Offer> {
  const { data } = await client.models().catch(() => ({ data: [] }));
  return offer(
    part,
    data.map(({ id }) => id),
  );
}

async function offerChats(store: ChatStore, part: string): Promise<Offer> {
  const chats = await listChats(store).catch(() => []);
  return offer(
    part,
    chats.map(({ name }) => name),
  );
}

function offer(part: string, all: readonly string[]): Offer {
  const found = all.filter((each) => each.startsWith(part));
  return [found.length === 1 ? found.map((each) => `${each} `) : found, part];
}
