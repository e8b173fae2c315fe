import type { SavedChat, SavedMessage } from '../../../src/api/management/chats.ts';
import { beginComposer, type Composer } from '../../prompt/editor/composer.ts';

/** Conversations that were opened longer ago are fetched again. */
const CONVERSATIONS_MAX = 20;

/** An answer that is arriving, or that ended too early. */
export type Reply = {
  /** The id of the message that it becomes. */
  id: string;
  parent: string;
  model: string;
  text: string;
  thought: string;
  /** The tool that is waiting for the user's decision, with its arguments. */
  question?: string | undefined;
  /** The change to a file that the question is about. */
  diff?: string | undefined;
  /** Why it ended too early; undefined while it arrives. */
  failure?: string;
};

/** A message that waits until the answer before it is complete. */
export type Queued = { text: string; images: readonly string[] };

export type ChatState = {
  /** Those that were opened, by id. */
  conversations: Readonly<Record<string, SavedChat>>;
  /** By the id of the conversation. */
  replies: Readonly<Record<string, Reply>>;
  /** For a new conversation. */
  model: string;
  /** The message that is typed. */
  composer: Composer;
  /** By the id of the conversation. After an answer was stopped, they wait for Enter. */
  queued: Readonly<Record<string, readonly Queued[]>>;
  isTyping: boolean;
  /** Whether reasoning and tool calls are shown in full. */
  isUnfolded: boolean;
  /** The id of the message that the keys apply to; the last one if absent. */
  chosen?: string | undefined;
  /** The message that the typed one replaces, on a branch of its own. */
  edited?: SavedMessage | undefined;
  /** The MCP servers whose tools the model may call. */
  servers: readonly string[];
  /** The folder in which the model may propose changes to files. */
  folder?: string | undefined;
  /** Image files of the next message. */
  images: readonly string[];
};

export type ChatAction =
  | { kind: 'loaded'; conversation: SavedChat }
  | { kind: 'changed'; chat: string; change: Partial<Pick<SavedChat, 'model' | 'current'>> }
  | { kind: 'message'; chat: string; message: SavedMessage }
  | { kind: 'begun'; chat: string; reply: Pick<Reply, 'id' | 'parent' | 'model'> }
  | { kind: 'arrived'; chat: string; text?: string; thought?: string }
  | { kind: 'asked'; chat: string; question?: string; diff?: string | undefined }
  | { kind: 'ended'; chat: string; failure?: string }
  | {
      kind: 'set';
      change: Partial<
        Pick<
          ChatState,
          | 'model'
          | 'composer'
          | 'queued'
          | 'isTyping'
          | 'isUnfolded'
          | 'chosen'
          | 'edited'
          | 'servers'
          | 'folder'
          | 'images'
        >
      >;
    };

export const NO_CHAT: ChatState = {
  conversations: {},
  replies: {},
  model: 'svc-chat-v1',
  composer: beginComposer([]),
  queued: {},
  isTyping: false,
  isUnfolded: false,
  servers: [],
  images: [],
};

export const isArriving = ({ failure }: Reply): boolean => failure === undefined;

export function reduceChat(state: ChatState, action: ChatAction): ChatState {
  switch (action.kind) {
    case 'loaded':
      return withConversation(state, merge(state.conversations[action.conversation.id], action.conversation));
    case 'changed':
      return changeConversation(state, action.chat, (known) => ({ ...known, ...action.change }));
    case 'message':
      return changeConversation(state, action.chat, (known) => withMessage(known, action.message));
    case 'begun': {
      const reply = { ...action.reply, text: '', thought: '' };
      return { ...state, replies: { ...state.replies, [action.chat]: reply } };
    }
    case 'arrived':
      return changeReply(state, action.chat, (reply) => ({
        ...reply,
        text: reply.text + (action.text ?? ''),
        thought: reply.thought + (action.thought ?? ''),
      }));
    case 'asked': {
      const { chat, question, diff } = action;
      return changeReply(state, chat, (reply) => ({ ...reply, question, diff }));
    }
    case 'ended': {
      const { failure } = action;
      if (failure !== undefined) return changeReply(state, action.chat, (reply) => ({ ...reply, failure }));
      return { ...state, replies: without(state.replies, action.chat) };
    }
    case 'set':
      return { ...state, ...action.change };
  }
}

function changeConversation(
  state: ChatState,
  chat: string,
  change: (known: SavedChat) => SavedChat,
): ChatState {
  const known = state.conversations[chat];
  return known ? withConversation(state, change(known)) : state;
}

function changeReply(state: ChatState, chat: string, change: (reply: Reply) => Reply): ChatState {
  const reply = state.replies[chat];
  return reply ? { ...state, replies: { ...state.replies, [chat]: change(reply) } } : state;
}

function without<Value>(all: Readonly<Record<string, Value>>, name: string): Record<string, Value> {
  return Object.fromEntries(Object.entries(all).filter(([each]) => each !== name));
}

/** The latest is the last to be dropped. */
function withConversation(state: ChatState, conversation: SavedChat): ChatState {
  const others = without(state.conversations, conversation.id);
  const kept = Object.entries(others).slice(1 - CONVERSATIONS_MAX);
  return { ...state, conversations: { ...Object.fromEntries(kept), [conversation.id]: conversation } };
}

function withMessage(known: SavedChat, message: SavedMessage): SavedChat {
  const others = known.messages.filter(({ id }) => id !== message.id);
  return { ...known, messages: [...others, message], current: message.id };
}

/** What was added here while the daemon answered is kept. An equal message stays the same object. */
function merge(known: SavedChat | undefined, fetched: SavedChat): SavedChat {
  if (known === undefined) return fetched;
  const byId = new Map(known.messages.map((message) => [message.id, message]));
  const messages = fetched.messages.map((message) => {
    const before = byId.get(message.id);
    byId.delete(message.id);
    return before && JSON.stringify(before) === JSON.stringify(message) ? before : message;
  });
  const added = [...byId.values()];
  return {
    ...fetched,
    messages: [...messages, ...added],
    current: added.length > 0 ? known.current : fetched.current,
  };
}
