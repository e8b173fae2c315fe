import type { SavedChat, SavedMessage } from '../../../src/api/management/chats.ts';
import { lineTo } from '../../chat/branches.ts';
import { formatCount } from '../../output/format.ts';
import { sanitiseLine } from '../../output/sanitise.ts';
import { displayWidth, truncate } from '../../output/display-width.ts';
import { block, line, paragraph, span, type Color, type Line, type Size } from '../render/lines.ts';
import type { Theme } from '../render/theme.ts';
import type { Step } from '../screen.ts';
import { openConversation, selectedChat } from '../state/selection.ts';
import type { State } from '../state/state.ts';
import { inputLines } from './input-lines.ts';
import { createMarkdownLines } from './markdown-lines.ts';
import { authorOf, messageLines, thoughtLines, type MessageView } from './message-lines.ts';
import { positionAfter, windowOf, type Block } from './scrolling.ts';
import { isArriving, type Reply } from './state.ts';

/** The conversation, and below it the message that is typed. */
export function renderConversation(state: State, size: Size, theme: Theme): Line[] {
  const { input, room } = partsOf(state, size, theme);
  const shown = windowOf(blocksOf(state, size.width, theme), state.views.chat.detail ?? '', room);
  return [...block(shown, { width: size.width, height: room }), ruleOf(state, size.width, theme), ...input];
}

export function scrollConversation(state: State, step: Step, size: Size, theme: Theme): string {
  const blocks = blocksOf(state, size.width, theme);
  return positionAfter(blocks, state.views.chat.detail ?? '', step, partsOf(state, size, theme).room);
}

function partsOf(state: State, { width, height }: Size, theme: Theme) {
  const { chat } = state;
  const id = selectedChat(state) ?? '';
  const reply = chat.replies[id];
  const isReplying = reply !== undefined && isArriving(reply);
  const input = inputLines({ chat, queued: chat.queued[id] ?? [], isArriving: isReplying, width }, theme);
  return { input, room: height - input.length - 1 };
}

function ruleOf(state: State, width: number, { glyphs, isReader }: Theme): Line {
  const open = openConversation(state);
  const { model, folder } = state.chat;
  const names = [open?.model ?? model, ...(open ? [open.name] : []), ...(folder ? [folder] : [])];
  const text = names.map((each) => ` ${each} `).join(glyphs.rule);
  if (isReader) return line(`model ${names.join(', ')}`);
  const left = truncate(`${glyphs.rule.repeat(2)}${sanitiseLine(text)}`, width);
  return line(span(left + glyphs.rule.repeat(width - displayWidth(left)), { dim: true }));
}

function blocksOf(state: State, width: number, theme: Theme): readonly Block[] {
  const chat = selectedChat(state);
  const view = { width, isUnfolded: state.chat.isUnfolded, theme };
  if (chat === undefined) return [{ id: 'new', lines: () => greeting(width) }];
  const conversation = state.chat.conversations[chat];
  if (conversation === undefined) return [{ id: 'loading', lines: () => [line(span('…', { dim: true }))] }];
  const reply = state.chat.replies[chat];
  const messages = reply ? lineTo(conversation.messages, reply.parent) : messagesOf(conversation);
  return [
    ...messages.map((message) => messageBlock(message, conversation, view, state.chat.chosen)),
    ...(reply ? [{ id: reply.id, lines: () => replyLines(reply, view, state.now) }] : []),
  ];
}

function greeting(width: number): Line[] {
  return paragraph(
    'A new conversation. i types a message, m chooses the model, Tab goes to earlier conversations.',
    width,
    { dim: true },
  );
}

const lines = new WeakMap<SavedChat, readonly SavedMessage[]>();

/** The messages of the shown branch. */
export function messagesOf(conversation: SavedChat): readonly SavedMessage[] {
  const known = lines.get(conversation) ?? lineTo(conversation.messages, conversation.current);
  lines.set(conversation, known);
  return known;
}

function messageBlock(
  message: SavedMessage,
  conversation: SavedChat,
  view: MessageView,
  chosen: string | undefined,
): Block {
  return {
    id: message.id,
    lines: () => {
      const mark = message.id === chosen ? `${view.theme.glyphs.selected} ` : '';
      const branch = span(branchText(message, conversation), { dim: true });
      const head = line(mark, authorOf(message, conversation.model), branch);
      return [head, ...messageLines(message, view), []];
    },
  };
}

const branches = new WeakMap<SavedChat, ReadonlyMap<string | undefined, readonly string[]>>();

/** `  2 of 3 branches`, if there are several. */
function branchText({ id, parent }: SavedMessage, conversation: SavedChat): string {
  let known = branches.get(conversation);
  if (known === undefined) {
    const grouped = new Map<string | undefined, string[]>();
    for (const each of conversation.messages)
      grouped.set(each.parent, [...(grouped.get(each.parent) ?? []), each.id]);
    known = grouped;
    branches.set(conversation, known);
  }
  const ids = known.get(parent) ?? [];
  return ids.length < 2 ? '' : `  branch ${ids.indexOf(id) + 1} of ${ids.length}`;
}

type Arriving = { width: number; length: number; text: ReturnType<typeof createMarkdownLines> };
const arriving = new Map<string, Arriving>();

/** Only what has arrived since the last frame is rendered. */
function arrivingLines({ id, text }: Reply, width: number): readonly Line[] {
  let known = arriving.get(id);
  if (known?.width !== width || known.length > text.length) {
    arriving.clear();
    known = { width, length: 0, text: createMarkdownLines(width) };
    arriving.set(id, known);
  }
  known.text.push(text.slice(known.length));
  known.length = text.length;
  return known.text.lines();
}

function replyLines(reply: Reply, view: MessageView, now: number): Line[] {
  const { glyphs, isReader } = view.theme;
  const author = authorOf({ role: 'assistant', model: reply.model }, reply.model);
  const { failure, question } = reply;
  const spinner = isReader ? '' : (glyphs.spinner[Math.floor(now / 1000) % glyphs.spinner.length] ?? '');
  const head = line(
    author,
    ...(isArriving(reply) ? [span(` ${spinner} ${progressOf(reply, isReader)}`, { dim: true })] : []),
  );
  // A screen reader would start over with every word.
  const isHeld = isReader && isArriving(reply);
  const text = isHeld ? [] : arrivingLines(reply, view.width);
  const thoughts = isHeld ? [] : thoughtLines(reply.thought, view);
  const trouble = failure === undefined ? [] : paragraph(`error: ${failure}`, view.width, { color: 'red' });
  const decision = question === undefined ? [] : decisionLines(question, reply.diff, view.width);
  return [head, ...thoughts, ...text, ...decision, ...trouble, []];
}

const COLORS: Readonly<Record<string, Color>> = { '+': 'green', '-': 'red', '@': 'cyan' };

/** The question, with the change that it is about: changes to files are accepted one by one. */
function decisionLines(question: string, diff: string | undefined, width: number): Line[] {
  const changes = (diff ?? '').split('\n').flatMap((each) => {
    const color = COLORS[each[0] ?? ''];
    return paragraph(each, width, color ? { color } : {});
  });
  const key = (name: string) => span(name, { bold: true });
  return [
    ...paragraph(question, width, { color: 'yellow' }),
    ...(diff === undefined ? [] : changes),
    diff === undefined
      ? line('Run it? ', key('a'), ' yes, ', key('A'), ' always, ', key('d'), ' no')
      : line('Write it? ', key('a'), ' accept, ', key('d'), ' deny'),
  ];
}

function progressOf({ text, thought, question }: Reply, isReader: boolean): string {
  if (question !== undefined) return 'waiting for you';
  if (text !== '') return 'answering';
  if (thought !== '' && isReader) return 'thinking';
  return thought === '' ? 'waiting' : `thinking, ${formatCount(thought.split(/\s+/).length, 'word')}`;
}
