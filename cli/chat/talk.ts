import type { ChatMessage } from '../../src/api/chat/chat.ts';
import type { Toolbox } from './tools/toolbox.ts';
import type { ChatOptions } from './options.ts';

/** A conversation with its settings and the name under which it is saved. */
export type Talk = {
  options: ChatOptions;
  messages: ChatMessage[];
  folder: string;
  name: string;
  /** Whether the user chose that name. */
  isNamed: boolean;
  /** The tools that the model may call. */
  toolbox?: Toolbox;
};
