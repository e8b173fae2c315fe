import { deriveParameters, type ParameterFormat } from './parameter-format.ts';
import type { RenderRaw, TemplateCall, TemplateMessage } from './template-messages.ts';

/** How a model writes calls of tools: everything around the names and the arguments. */
export type CallFormat = {
  /** Before the first name. */
  before: string;
  /** Between a name and its arguments. */
  middle: string;
  /** After one call's arguments and before the next one's name; undefined where only one call can be made. */
  between: string | undefined;
  /** After the last arguments. */
  after: string;
  /** Where arguments are no JSON object: how each of them is written. */
  parameters?: ParameterFormat;
  /** Known only at the beginning of an answer, since it could be words anywhere else. */
  isAtStart?: boolean;
};

/** What is said to a model whose template knows no tools. */
export const GENERIC_CALLS: CallFormat = {
  before: '<tool_call>\n{"name": "',
  middle: '", "arguments": ',
  between: '}\n</tool_call>\n<tool_call>\n{"name": "',
  after: '}\n</tool_call>',
};

/** Stands in a format for the id that some models write: nine letters and digits. */
export const ID_MARK = '\uE002';

const NAMES = ['probe_first_4711', 'probe_second_1147'] as const;
const IDS = ['Kq3vT8xZa', 'Wm5yR2bNc'] as const;
const SAID = 'probe said 2893';
const RESULT = 'probe result 6120';

/**
 * Reads the format out of what the template makes of a conversation with calls. Undefined when the template leaves the
 * tools, the calls or their results out, or writes arguments neither as JSON nor one by one.
 */
export function deriveCallFormat(render: RenderRaw): CallFormat | undefined {
  const start = attempt(() => render({ messages: [question] }));
  const plain = attempt(() => render({ messages: [question, { role: 'assistant', content: SAID }] }, false));
  const one = attempt(() => render({ messages: [question, calling(1)] }, false));
  if (start === undefined || plain === undefined || one === undefined) return undefined;
  if (!showsTools(render) || !showsResults(render)) return undefined;
  const turnEnd = plain.slice(plain.lastIndexOf(SAID) + SAID.length);
  const answerWith = (message: TemplateMessage) => {
    const rendered = attempt(() => render({ messages: [question, message] }, false));
    return rendered === undefined ? undefined : afterPrompt(rendered, start);
  };
  const single = cut(afterPrompt(one, start), 1, turnEnd);
  if (!single) return taggedFormat(answerWith, turnEnd);
  const two = answerWith(calling(2));
  const both = two === undefined ? undefined : cut(two, 2, turnEnd);
  return both ?? single;
}

/** The format of calls whose arguments stand one by one, each between marks of its own. */
function taggedFormat(
  answerWith: (message: TemplateMessage) => string | undefined,
  turnEnd: string,
): CallFormat | undefined {
  const name = NAMES[0];
  const write = (args: Record<string, string>, count = 1) =>
    answerWith({
      role: 'assistant',
      content: '',
      tool_calls: NAMES.slice(0, count).map((one, index) => call(index, one, args)),
    });
  const withArguments = (args: Record<string, string>) => {
    const answer = write(args);
    const place = answer?.indexOf(name) ?? -1;
    if (answer === undefined || place === -1) return undefined;
    return {
      before: answer.slice(0, place),
      rest: withoutTurnEnd(answer.slice(place + name.length), turnEnd),
    };
  };
  const derived = deriveParameters(withArguments);
  if (!derived) return undefined;
  const { format, value } = derived;
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

function call(index: number, name: string, args: Record<string, string>): TemplateCall {
  return { id: IDS[index] ?? '', type: 'function', function: { name, arguments: args } };
}

function argumentOf(index: number): string {
  return `argument_${index}_3571`;
}

function showsTools(render: RenderRaw): boolean {
  const tools = [{ name: NAMES[0], description: 'Probes.', parameters: { type: 'object', properties: {} } }];
  return attempt(() => render({ messages: [question], tools }))?.includes(NAMES[0]) ?? false;
}

function showsResults(render: RenderRaw): boolean {
  const result: TemplateMessage = { role: 'tool', content: RESULT, tool_call_id: IDS[0], name: NAMES[0] };
  return attempt(() => render({ messages: [question, calling(1), result] }))?.includes(RESULT) ?? false;
}

/** What the model writes itself: without the prompt, and without the thoughts that templates put there. */
function afterPrompt(rendered: string, prompt: string): string {
  let length = 0;
  while (length < prompt.length && rendered[length] === prompt[length]) length++;
  const answer = rendered.slice(length);
  return answer.replace(/^\s*(<think>\s*)?<\/think>\s*/, '').trimStart();
}

/** Cuts an answer with so many calls at their names and arguments. */
function cut(answer: string, count: 1 | 2, turnEnd: string): CallFormat | undefined {
  const places = [0, 1].slice(0, count).map((index) => placesOf(answer, index));
  const [first, second] = places;
  const last = places.at(-1);
  if (!first || !last || (count === 2 && !second)) return undefined;
  const rest = withoutTurnEnd(answer.slice(last.end), turnEnd);
  return {
    before: answer.slice(0, first.name),
    middle: answer.slice(first.nameEnd, first.start),
    between: second && markIds(answer.slice(first.end, second.name)),
    after: markIds(rest),
  };
}

function placesOf(answer: string, index: number) {
  const name = answer.indexOf(NAMES[index] ?? '');
  const nameEnd = name + (NAMES[index] ?? '').length;
  const found = new RegExp(`\\{\\s*"${argumentOf(index)}"\\s*:\\s*"x"\\s*\\}`).exec(answer);
  if (name === -1 || !found || found.index < nameEnd) return undefined;
  return { name, nameEnd, start: found.index, end: found.index + found[0].length };
}

function withoutTurnEnd(text: string, turnEnd: string): string {
  const end = turnEnd.trim() === '' ? -1 : text.lastIndexOf(turnEnd.trim());
  if (end !== -1) return text.slice(0, end).trimEnd();
  // A turn with calls may end in another way than one with words: its last mark is the end.
  return text.replace(/<[|｜][^<>]*[|｜]>\s*$/, '').trimEnd();
}

function markIds(text: string): string {
  return IDS.reduce((marked, id) => marked.replaceAll(id, ID_MARK), text);
}

function attempt(render: () => string): string | undefined {
  try {
    return render();
  } catch {
    return undefined;
  }
}
