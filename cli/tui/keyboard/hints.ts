import { isArriving } from '../chat/state.ts';
import { selectedChat } from '../state/selection.ts';
import type { State } from '../state/state.ts';
import { hintsOf, type Hint } from './keymap.ts';

const QUIT: Hint = { key: 'ctrl+c', text: 'quit' };

/** The keys that work now: while something is typed, letters are text. */
export function hintsNow(state: State): readonly Hint[] {
  const { screen, prompt, chat } = state;
  if (prompt?.kind === 'filter') return [hint('enter', 'keep'), hint('esc', 'clear'), QUIT];
  if (prompt) return [hint('enter', 'run'), hint('esc', 'cancel'), QUIT];
  if (screen === 'chat' && chat.isTyping) return hintsOfMessage(state);
  return hintsOf(screen);
}

function hintsOfMessage(state: State): readonly Hint[] {
  const { composer, replies } = state.chat;
  if (composer.search) return [hint('ctrl+r', 'older'), hint('esc', 'edit'), hint('ctrl+g', 'cancel'), QUIT];
  const reply = replies[selectedChat(state) ?? ''];
  const isAnswering = reply !== undefined && isArriving(reply);
  // A tool that is waiting for a decision is not stopped: Esc leads to the keys that decide.
  const stops = isAnswering && reply.question === undefined;
  return [
    hint('enter', isAnswering ? 'queue' : 'send'),
    hint('esc', stops ? 'stop' : 'leave'),
    hint('alt+enter', 'new line'),
    hint('up', 'earlier'),
    hint('ctrl+r', 'find'),
    QUIT,
  ];
}

const hint = (key: string, text: string): Hint => ({ key, text });
