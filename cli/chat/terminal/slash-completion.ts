import type { Candidate } from '../../prompt/editor/composer.ts';
import type { Client } from '../../client/client.ts';
import { THEMES } from '../../output/markdown/themes.ts';
import { sanitiseLine } from '../../output/sanitise.ts';
import { chats } from '../../models/missing.ts';
import { answeredBlocks } from '../copy.ts';
import { listChats, type ChatStore } from '../saved-chats.ts';
import { SETTABLE } from '../set-option.ts';
import { SLASH_COMMANDS } from '../slash-commands.ts';
import type { Offer } from '../mentions/complete.ts';
import type { Talk } from '../talk.ts';

/** Synchronous if possible: keys typed next must find the result. */
export type Complete = (text: string) => Offer | Promise<Offer> | undefined;

/** Completes slash commands and their arguments, otherwise what `mentions` completes. */
export function createCompletion(
  client: Pick<Client, 'models'>,
  { saved, messages }: Pick<Talk, 'saved' | 'messages'>,
  mentions: Complete,
): Complete {
  return (line) => {
    if (!line.startsWith('/') || line.includes('\n')) return mentions(line);
    const [, name = '', argument] = /^(\/\S*)(?:\s+(\S*))?$/.exec(line) ?? [];
    if (name === '') return offer(line, []);
    if (argument === undefined) return offer(name, COMMANDS);
    if (name === '/model') return offerModels(client, argument);
    if (name === '/load' || name === '/save') return offerChats(saved.store, argument);
    if (name === '/copy') return offer(argument, blocksOf(messages));
    if (name === '/theme')
      return offer(
        argument,
        THEMES.map((text) => ({ text })),
      );
    return offer(argument, name === '/set' ? SETTABLE.map((text) => ({ text })) : []);
  };
}

const COMMANDS: readonly Candidate[] = SLASH_COMMANDS.map(({ name, argument, summary }) => ({
  text: name,
  label: argument === undefined ? name : `${name} ${argument}`,
  about: summary,
  isWhole: argument === undefined,
}));

/** Without a running daemon, there are no candidates. */
async function offerModels(client: Pick<Client, 'models'>, part: string): Promise<Offer> {
  const { data } = await client.models().catch(() => ({ data: [] }));
  return offer(
    part,
    data.filter(chats).map(({ id }) => ({ text: id })),
  );
}

async function offerChats(store: ChatStore, part: string): Promise<Offer> {
  const chats = await listChats(store).catch(() => []);
  return offer(
    part,
    chats.map(({ name, title }) => ({ text: name, about: title })),
  );
}

function blocksOf(messages: Talk['messages']): Candidate[] {
  return answeredBlocks(messages).map(({ language, code }, index) => ({
    text: String(index + 1),
    about: sanitiseLine(`${language}  ${code.split('\n')[0] ?? ''}`).trim(),
  }));
}

function offer(part: string, all: readonly Candidate[]): Offer {
  return { candidates: all.filter(({ text }) => text.startsWith(part)), part };
}
