import type { ChatMessage } from '../../src/api/chat/chat.ts';
import type { ChatOptions } from './options.ts';

/** What was said, with what settings, and under which name it is kept. */
export type Talk = {
  options: ChatOptions;
  messages: ChatMessage[];
  folder: string;
  name: string;
  /** Whether somebody asked for it by that name. */
  isNamed: boolean;
};
