import type { SavedChat, SavedMessage } from '../../../src/api/management/chats.ts';
import { Failure } from '../../../src/base/errors.ts';
import { branchesOf } from '../../chat/branches.ts';
import { contentText } from '../../chat/export-chat.ts';
import { setText } from '../../prompt/editor/composer.ts';
import { sanitise } from '../../output/sanitise.ts';
import { answer, change, isAnswering } from '../chat/ask.ts';
import { codeBlocks } from '../../output/markdown/code-blocks.ts';
import { messagesOf } from '../chat/conversation.ts';
import { showBranch } from '../chat/show-message.ts';
import { openDialog, say, textAnswer, type Act, type Deck, type Submission } from '../deck.ts';
import type { ActionId } from '../keyboard/keymap.ts';
import { openConversation, selectedChat } from '../state/selection.ts';

const FIRST_LINE_MAX = 200;

/** The messages of the shown branch up to the chosen one, or all. */
function lineOf({ store }: Deck): { open: SavedChat; line: readonly SavedMessage[] } {
  const state = store.current();
  const open = openConversation(state);
  if (open === undefined) throw new Failure('not_found', 'There is no conversation here yet.');
  const line = messagesOf(open);
  const chosen = line.findIndex(({ id }) => id === state.chat.chosen);
  return { open, line: chosen === -1 ? line : line.slice(0, chosen + 1) };
}

function lastBy(role: SavedMessage['role'], line: readonly SavedMessage[]): SavedMessage {
  const found = line.findLast((message) => message.role === role);
  if (found) return found;
  throw new Failure('not_found', 'There is no such message yet.');
}

/** Chooses the message before or after the chosen one, and shows it. */
function choose(deck: Deck, step: number): void {
  const { open, line } = lineOf(deck);
  const all = messagesOf(open);
  const isChosen = all.some(({ id }) => id === deck.store.current().chat.chosen);
  const at = isChosen ? line.length - 1 + step : all.length - 1;
  const message = all[Math.max(0, Math.min(all.length - 1, at))];
  if (message === undefined) return;
  change(deck, { chosen: message.id });
  deck.store.dispatch({ type: 'view', screen: 'chat', view: { detail: `${message.id}:0`, pane: 'detail' } });
}

function edit(deck: Deck): void {
  refuseWhileAnswering(deck);
  const edited = lastBy('user', lineOf(deck).line);
  const { content } = edited;
  const text = Array.isArray(content) ? content.map((part) => part.text ?? '').join('') : (content ?? '');
  deck.store.dispatch({ type: 'view', screen: 'chat', view: { pane: 'detail' } });
  const { composer } = deck.store.current().chat;
  change(deck, { edited, composer: setText(composer, text), isTyping: true });
}

function retry(deck: Deck): void {
  refuseWhileAnswering(deck);
  const { open, line } = lineOf(deck);
  const question = lastBy('user', line);
  change(deck, { chosen: undefined });
  answer(deck, open.id, question.id);
}

function refuseWhileAnswering(deck: Deck): void {
  if (isAnswering(deck)) throw new Failure('invalid_value', 'The answer is still arriving. Esc stops it.');
}

/** Of the chosen message, or the last one that has any. */
function chooseBranch(deck: Deck): void {
  refuseWhileAnswering(deck);
  const { open, line } = lineOf(deck);
  const message = line.findLast((each) => branchesOf(open.messages, each).length > 1);
  if (message === undefined) return say(deck, 'There are no branches. e or r begins one.', 'bad');
  const branches = branchesOf(open.messages, message);
  openDialog(deck, {
    kind: 'pick',
    title: 'Choose a branch',
    query: '',
    choices: branches.map((each) => ({ id: each.id, text: contentText(each).slice(0, FIRST_LINE_MAX) })),
    at: branches.indexOf(message),
    submit: 'chat.branch',
    about: open.id,
  });
}

/** The code of the chosen message or the last answer; without code, its text. */
function copy(deck: Deck): void {
  const { line } = lineOf(deck);
  const { chosen } = deck.store.current().chat;
  const message = line.at(-1)?.id === chosen ? line.at(-1) : lastBy('assistant', line);
  const text = sanitise(contentText(message ?? {}));
  const blocks = codeBlocks(text);
  const [first] = blocks;
  if (blocks.length < 2) {
    deck.copy(first?.code ?? text);
    return say(deck, first ? 'Copied the code block.' : 'Copied the message.');
  }
  openDialog(deck, {
    kind: 'pick',
    title: 'Copy a code block',
    query: '',
    choices: blocks.map(({ language, code }, index) => ({
      id: code,
      text: `${index + 1} ${language}  ${code.slice(0, FIRST_LINE_MAX)}`,
    })),
    at: 0,
    submit: 'chat.copy',
  });
}

function decide({ store, replies }: Deck, decision: 'yes' | 'no' | 'always'): void {
  const state = store.current();
  const chat = selectedChat(state);
  if (chat === undefined) return;
  // Changes to files are accepted one by one.
  if (decision === 'always' && state.chat.replies[chat]?.diff !== undefined) return;
  replies.decide(chat, decision);
}

export const messages = {
  'chat.previous': (deck) => choose(deck, -1),
  'chat.next': (deck) => choose(deck, 1),
  'chat.edit': edit,
  'chat.retry': retry,
  'chat.branch': chooseBranch,
  'chat.copy': copy,
  'chat.approve': (deck) => decide(deck, 'yes'),
  'chat.always': (deck) => decide(deck, 'always'),
  'chat.deny': (deck) => decide(deck, 'no'),
} satisfies Partial<Record<ActionId, Act>>;

export const messageSubmissions: Record<string, Submission> = {
  'chat.branch': async (deck, chat, answers) => {
    await showBranch(deck, chat, textAnswer(answers, 'choice'));
    change(deck, { chosen: undefined });
    return undefined;
  },
  'chat.copy': async (deck, _about, answers) => {
    deck.copy(String(answers['choice'] ?? ''));
    say(deck, 'Copied the code block.');
    return undefined;
  },
};
