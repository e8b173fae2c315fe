import type { ChatMessage } from '../../src/api/chat/chat.ts';
import type { Toolbox } from './tools/toolbox.ts';
import type { SavedChat } from './saved-chats.ts';
import type { ChatOptions } from './options.ts';

/** A conversation with its settings and where it is saved. */
export type Talk = {
  options: ChatOptions;
  messages: ChatMessage[];
  saved: SavedChat;
  /** The tools that the model may call. */
  toolbox?: Toolbox;
};
