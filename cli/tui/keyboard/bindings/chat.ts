import type { Binding } from './binding.ts';

/** The conversations. */
export const CHAT_KEYS = [
  {
    keys: ['i'],
    where: 'chat',
    action: 'chat.type',
    does: 'type a message; Enter sends it or, while an answer arrives, lets it wait; Alt-Enter or Ctrl-J begins a line, Up and Ctrl-R find earlier ones, Esc leaves',
    short: 'type',
  },
  {
    keys: ['enter'],
    where: 'chat',
    action: 'chat.enter',
    does: 'open the conversation; in it, type a message',
  },
  { keys: ['n'], where: 'chat', action: 'chat.new', does: 'begin a new conversation', short: 'new' },
  { keys: ['m'], where: 'chat', action: 'chat.model', does: 'choose the model', short: 'model' },
  {
    keys: ['t'],
    where: 'chat',
    action: 'chat.fold',
    does: 'unfold thoughts and tool calls, or fold them',
    short: 'thoughts',
  },
  { keys: ['K'], where: 'chat', action: 'chat.previous', does: 'choose the previous message' },
  { keys: ['J'], where: 'chat', action: 'chat.next', does: 'choose the next message' },
  {
    keys: ['e'],
    where: 'chat',
    action: 'chat.edit',
    does: 'edit the chosen message, or the last; it begins a branch',
    short: 'edit',
  },
  {
    keys: ['r'],
    where: 'chat',
    action: 'chat.retry',
    does: 'answer the chosen message again, or the last',
    short: 'retry',
  },
  { keys: ['b'], where: 'chat', action: 'chat.branch', does: 'choose another branch', short: 'branches' },
  { keys: ['y'], where: 'chat', action: 'chat.copy', does: 'copy a code block, or the message' },
  { keys: ['/'], where: 'chat', action: 'chat.search', does: 'search all conversations', short: 'search' },
  { keys: ['x'], where: 'chat', action: 'chat.export', does: 'write the conversation to a file' },
  { keys: ['I'], where: 'chat', action: 'chat.image', does: 'add an image to the next message' },
  { keys: ['D'], where: 'chat', action: 'chat.remove', does: 'delete the conversation' },
  {
    keys: ['T'],
    where: 'chat',
    action: 'chat.tools',
    does: 'choose MCP servers whose tools the model may call',
  },
  { keys: ['a'], where: 'chat', action: 'chat.approve', does: 'let the tool in question run' },
  {
    keys: ['A'],
    where: 'chat',
    action: 'chat.always',
    does: 'let it run now, and from now on without asking',
  },
  { keys: ['d'], where: 'chat', action: 'chat.deny', does: 'do not let it run' },
  {
    keys: ['esc'],
    where: 'chat',
    action: 'chat.stop',
    does: 'stop the answer, or go to the conversations',
  },
] as const satisfies readonly Binding[];
