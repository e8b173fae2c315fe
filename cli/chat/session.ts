import { Failure } from '../../src/base/errors.ts';
import type { ChatOptions } from './options.ts';
import { isChatName, isKept, LAST, listChats, restoreChat } from './saved-chats.ts';
import type { Talk } from './talk.ts';

type ReplyRequestOptions = { session?: string; continue?: true };

/** The conversation that the flags name: a new one, or a saved one to continue. */
export function openTalk(
  folder: string,
  options: ChatOptions,
  { request, given }: { request: ReplyRequestOptions; given: (flag: 'model' | 'system') => boolean },
): Talk {
  const talk: Talk = { options: { ...options }, messages: [], folder, name: LAST, isNamed: false };
  const name = nameOf(folder, request);
  if (name === undefined) return talk;
  Object.assign(talk, { name, isNamed: true });
  if (isKept(folder, name)) restoreChat(talk, name);
  if (given('model')) talk.options.model = options.model;
  if (given('system') && options.system !== undefined) talk.options.system = options.system;
  return talk;
}

function nameOf(folder: string, { session, continue: goesOn }: ReplyRequestOptions): string | undefined {
  if (session !== undefined && goesOn)
    throw new Failure('invalid_value', 'Give either --session or --continue, not both.', {
      details: { fix: 'askd chats list' },
    });
  if (session !== undefined) {
    if (isChatName(session)) return session;
    throw new Failure('invalid_value', 'A --session name may contain letters, digits, dots and dashes.', {
      details: { fix: 'askd chat --session holiday-plans' },
    });
  }
  if (!goesOn) return undefined;
  const [latest] = listChats(folder);
  if (latest) return latest.name;
  throw new Failure('not_found', 'No conversation is saved yet.', { details: { fix: 'askd chat' } });
}
