import { Failure } from '../../src/base/errors.ts';
import type { ChatOptions } from './options.ts';
import { createSavedChat, isChatName, type ChatStore } from './saved-chats.ts';
import type { Talk } from './talk.ts';

type ReplyRequestOptions = { session?: string; continue?: true };

/** The conversation that the flags name: a new one, or a saved one to continue. */
export async function openTalk(
  store: ChatStore,
  options: ChatOptions,
  { request, given }: { request: ReplyRequestOptions; given: (flag: 'model' | 'system') => boolean },
): Promise<Talk> {
  const saved = createSavedChat(store);
  const talk: Talk = { options: { ...options }, messages: [], saved };
  const { session, continue: goesOn } = request;
  if (session !== undefined && goesOn)
    throw new Failure('invalid_value', 'Give either --session or --continue, not both.', {
      details: { fix: 'askd chats list' },
    });
  if (session !== undefined) await saved.open(talk, checkedName(session));
  else if (goesOn) await saved.open(talk, await latest(store));
  if (given('model')) talk.options.model = options.model;
  if (given('system') && options.system !== undefined) talk.options.system = options.system;
  return talk;
}

function checkedName(session: string): string {
  if (isChatName(session)) return session;
  throw new Failure('invalid_value', 'A --session name may contain letters, digits, dots and dashes.', {
    details: { fix: 'askd chat --session holiday-plans' },
  });
}

async function latest(store: ChatStore): Promise<string> {
  const [chat] = (await (await store())?.list({ limit: 1 }))?.data ?? [];
  if (chat) return chat.name;
  throw new Failure('not_found', 'No conversation is saved yet.', { details: { fix: 'askd chat' } });
}
