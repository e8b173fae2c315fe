import type { CallFormat } from './call-format.ts';
import { ID_MARK, NAME_MARK } from './call-text.ts';
import { deriveParameters } from './parameter-format.ts';
import type { RenderRaw, TemplateCall, TemplateMessage } from '../template/template-messages.ts';
import type { ReasoningTags } from '../reasoning/reasoning-tags.ts';

const NAMES = ['probe_first_4711', 'probe_second_1147'] as const;
const IDS = ['Kq3vT8xZa', 'Wm5yR2bNc'] as const;
const CONTENT = 'probe said 2893';
const RESULT = 'probe result 6120';

/**
 * Derives the call format from what the template renders for a conversation with calls. Undefined if the template
 * omits the calls, or writes arguments neither as JSON nor one by one.
 */
export function deriveCallFormat(
  render: RenderRaw,
  thoughts: ReasoningTags | undefined,
): CallFormat | undefined {
  const start = attempt(() => render({ messages: [question] }));
  const plain = attempt(() =>
    render({ messages: [question, { role: 'assistant', content: CONTENT }] }, false),
  );
  if (start === undefined || plain === undefined) return undefined;
  const turnEnd = plain.slice(plain.lastIndexOf(CONTENT) + CONTENT.length);
  const answerWith = (message: TemplateMessage) => {
    const rendered = attempt(() => render({ messages: [question, message] }, false));
    return rendered === undefined ? undefined : withoutThought(afterPrompt(rendered, start), thoughts);
  };
  const one = answerWith(calling(1));
  if (one === undefined) return undefined;
  const single = cut(one, 1, turnEnd);
  if (!single) return taggedFormat(answerWith, turnEnd);
  const two = answerWith(calling(2));
  const both = two === undefined ? undefined : cut(two, 2, turnEnd);
  return both ?? single;
}

/** The format of calls whose arguments are written one by one, each between tags. */
function taggedFormat(
  answerWith: (message: TemplateMessage) => string | undefined,
  turnEnd: string,
): CallFormat | undefined {
  const name = NAMES[0];
  const write = (args: Record<string, unknown>, count = 1) =>
    answerWith({
      role: 'assistant',
      content: '',
      tool_calls: NAMES.slice(0, count).map((one, index) => call(index, one, args)),
    });
  const withArguments = (args: Record<string, unknown>) => {
    const answer = write(args);
    const place = answer?.indexOf(name) ?? -1;
    if (answer === undefined || place === -1) return undefined;
    const { text } = withoutTurnEnd(answer.slice(place + name.length), turnEnd);
    return { before: answer.slice(0, place), rest: text };
  };
  const derived = deriveParameters(withArguments);
  if (!derived) return undefined;
  const { value } = derived;
  const format = {
    ...derived.format,
    middle: derived.format.middle.replaceAll(name, NAME_MARK),
    endsThought: true,
  };
  const both = write({ probe_key: value }, 2);
  const end = both === undefined ? -1 : both.indexOf(value) + value.length + format.parameters.end.length;
  const second = both?.indexOf(NAMES[1], end) ?? -1;
  const between = second === -1 ? undefined : both?.slice(end, second);
  const { last } = format.parameters;
  if (between === undefined || !between.startsWith(last)) return { ...format, between: undefined };
  return { ...format, between: between.slice(last.length) };
}

const question: TemplateMessage = { role: 'user', content: 'Hello' };

function calling(count: number): TemplateMessage {
  const calls = NAMES.slice(0, count).map((name, index) => call(index, name, { [argumentOf(index)]: 'x' }));
  return { role: 'assistant', content: '', tool_calls: calls };
}

function call(index: number, name: string, args: Record<string, unknown>): TemplateCall {
  return { id: IDS[index] ?? '', type: 'function', function: { name, arguments: args } };
}

function argumentOf(index: number): string {
  return `argument_${index}_3571`;
}

export type Shown = { tools: boolean; calls: boolean; results: boolean };

/** Which of tools, calls and results the template renders by itself. */
export function findShown(render: RenderRaw): Shown {
  const parameters = { type: 'object', properties: {} };
  const tools = [{ name: NAMES[0], description: 'Probes.', parameters }];
  const result: TemplateMessage = { role: 'tool', content: RESULT, tool_call_id: IDS[0], name: NAMES[0] };
  const shows = (text: string, ...[input]: Parameters<RenderRaw>) =>
    attempt(() => render(input))?.includes(text) ?? false;
  return {
    tools: shows(NAMES[0], { messages: [question], tools }),
    calls: shows(argumentOf(0), { messages: [question, calling(1), result] }),
    results: shows(RESULT, { messages: [question, calling(1), result] }),
  };
}

/** What the model itself writes, without the prompt, whose end may be the beginning of the same tag or word. */
function afterPrompt(rendered: string, prompt: string): string {
  let length = 0;
  while (length < prompt.length && rendered[length] === prompt[length]) length++;
  const mark = /[<[][^<>[\]\s]*$/.exec(rendered.slice(0, length));
  const word = /\w/.test(rendered[length] ?? '') ? /\w+$/.exec(rendered.slice(0, length)) : undefined;
  return rendered.slice((mark ?? word)?.index ?? length);
}

/** Templates insert an empty reasoning block, or the end of one. */
function withoutThought(answer: string, thoughts: ReasoningTags | undefined): string {
  const text = answer.trimStart();
  if (!thoughts) return text;
  const { begin, end } = thoughts;
  const opened = text.startsWith(begin) ? text.slice(begin.length).trimStart() : text;
  return opened.startsWith(end) ? opened.slice(end.length).trimStart() : text;
}

/** Splits an answer with this many calls at their names and arguments. */
function cut(answer: string, count: 1 | 2, turnEnd: string): CallFormat | undefined {
  const places = [0, 1].slice(0, count).map((index) => placesOf(answer, index));
  const [first, second] = places;
  const last = places.at(-1);
  if (!first || !last || (count === 2 && !second)) return undefined;
  const { text, ending } = withoutTurnEnd(answer.slice(last.end), turnEnd);
  return {
    before: marked(answer.slice(0, first.name)),
    middle: marked(answer.slice(first.nameEnd, first.start)),
    between: second && marked(answer.slice(first.end, second.name)),
    after: marked(text),
    ...(ending !== undefined && { ending }),
  };
}

function placesOf(answer: string, index: number) {
  const name = answer.indexOf(NAMES[index] ?? '');
  const nameEnd = name + (NAMES[index] ?? '').length;
  const found = new RegExp(`\\{\\s*"${argumentOf(index)}"\\s*:\\s*"x"\\s*\\}`).exec(answer);
  if (name === -1 || !found || found.index < nameEnd) return undefined;
  return { name, nameEnd, start: found.index, end: found.index + found[0].length };
}

/** A turn with calls may end differently from one with content: then its last tag may be either's end. */
function withoutTurnEnd(text: string, turnEnd: string): { text: string; ending?: string } {
  const end = turnEnd.trim() === '' ? -1 : text.indexOf(turnEnd.trim());
  if (end !== -1) return { text: text.slice(0, end).trimEnd() };
  const mark = /<[|｜][^<>]*[|｜]>\s*$/.exec(text);
  if (!mark) return { text: text.trimEnd() };
  return { text: text.slice(0, mark.index).trimEnd(), ending: mark[0].trim() };
}

function marked(text: string): string {
  return IDS.reduce((all, id) => all.replaceAll(id, ID_MARK), text);
}

function attempt(render: () => string): string | undefined {
  try {
    return render();
  } catch {
    return undefined;
  }
}
