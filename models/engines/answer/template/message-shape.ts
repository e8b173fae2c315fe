import { firstRendered } from './first-rendered.ts';
import type { RenderRaw, TemplateMessage } from './template-messages.ts';

/** Adapts a message to a template, since templates differ in how they represent the same thing. */
type Shape = (message: TemplateMessage) => Record<string, unknown>;

/** Turns each message into one or two. */
export type Shaping = (messages: readonly TemplateMessage[]) => TemplateMessage[];

type RenderShaped = (messages: readonly Record<string, unknown>[]) => string;

const CONTENT = 'probe said 6632';
const THOUGHT = 'probe thought 7741';
const ARGUMENT = 'argument_3571';

const user: TemplateMessage = { role: 'user', content: CONTENT };
const thoughtful: TemplateMessage = {
  role: 'assistant',
  content: CONTENT,
  reasoning_content: THOUGHT,
  reasoning: THOUGHT,
  thinking: THOUGHT,
};
const calling: TemplateMessage = {
  role: 'assistant',
  content: '',
  tool_calls: [
    { id: 'Kq3vT8xZa', type: 'function', function: { name: 'probe', arguments: { [ARGUMENT]: 'x' } } },
  ],
};

const asIs: Shape = (message) => message;

/** Strings as lists of parts. */
const inParts: Shape = (message) => ({ ...message, content: [{ type: 'text', text: message.content }] });

/** Reasoning as a part of the content. */
const thoughtInParts: Shape = (message) => {
  const { reasoning_content: thought } = message;
  if (thought === undefined) return message;
  const content = message.content === '' ? [] : [{ type: 'text', text: message.content }];
  return { ...message, content: [{ type: 'thinking', thinking: thought }, ...content] };
};

const saysNothing = ({ content }: { content?: unknown }) => content === '';

/** For messages with calls: no content, or content that is not a string. */
const withoutWords: Shape = (message) =>
  message.tool_calls && saysNothing(message) ? { ...message, content: null } : message;

const argumentsAsText: Shape = (message) => {
  const { tool_calls: calls } = message;
  if (!calls) return message;
  const toText = ({ function: { name, arguments: args }, ...rest }: (typeof calls)[number]) => ({
    ...rest,
    function: { name, arguments: JSON.stringify(args) },
  });
  return { ...message, tool_calls: calls.map(toText) };
};

const bothOf =
  (first: Shape, second: Shape): Shape =>
  (message) =>
    second(first(message) as TemplateMessage);

type Split = (message: TemplateMessage) => TemplateMessage[];

const asOne: Split = (message) => [message];

/** Content before a call as a message of its own. */
const asTwo: Split = (message) => {
  const { tool_calls: calls, ...rest } = message;
  if (!calls || rest.content === '') return [message];
  return [rest, { role: 'assistant', content: '', tool_calls: calls }];
};

/** Reasoning before a call at the start of its content, if only one of them is possible. */
const withThoughtInWords: Split = (message) => {
  const { role, content, tool_calls: calls, reasoning_content: thought } = message;
  if (!calls || content === '' || thought === undefined) return [message];
  return [{ role, content: `${thought}\n\n${content}`, tool_calls: calls }];
};

/** For each aspect, the first shape whose content the template renders. */
export function findShapings(source: string, render: RenderShaped): Shaping[] {
  const shows = (text: string, message: TemplateMessage) => (shape: Shape) =>
    attempt(() => render([shape(user), shape(message)]))?.includes(text) ?? false;
  const text =
    [asIs, inParts].find((shape) => attempt(() => render([shape(user)]))?.includes(CONTENT)) ?? asIs;
  const calls =
    [asIs, withoutWords, argumentsAsText, bothOf(withoutWords, argumentsAsText)].find(
      shows(ARGUMENT, calling),
    ) ?? asIs;
  const knowsParts = /==\s*(['"])thinking\1/.test(source);
  const thoughts = knowsParts ? ([asIs, thoughtInParts].find(shows(THOUGHT, thoughtful)) ?? asIs) : asIs;
  const inner = bothOf(calls, thoughts);
  const shape: Shape =
    text === asIs
      ? inner
      : bothOf(inner, (message) => (typeof message.content === 'string' ? text(message) : message));
  const shapingBy =
    (split: Split): Shaping =>
    (messages) =>
      messages.flatMap(split).map((message) => shape(message) as TemplateMessage);
  const split = findSplit((one) => render(shapingBy(one)(SPOKEN)));
  return split === asOne ? [shapingBy(asOne)] : [shapingBy(split), shapingBy(asOne)];
}

const SPOKEN: readonly TemplateMessage[] = [
  { role: 'user', content: 'Hello' },
  { ...thoughtful, tool_calls: calling.tool_calls ?? [] },
  { role: 'tool', content: 'Well.', tool_call_id: 'Kq3vT8xZa', name: 'probe' },
];

/** A template may reject content beside reasoning and a call, silently drop it, or render it all. */
function findSplit(render: (split: Split) => string): Split {
  const shows = (split: Split) => {
    const text = attempt(() => render(split)) ?? '';
    return text.includes(CONTENT) && text.includes(ARGUMENT);
  };
  const isRefused = attempt(() => render(asOne)) === undefined;
  const others = isRefused ? [withThoughtInWords, asTwo] : [asTwo, withThoughtInWords];
  return [asOne, ...others].find(shows) ?? asOne;
}

function attempt(render: () => string): string | undefined {
  try {
    return render();
  } catch {
    return undefined;
  }
}

/** Renders with the first shape that the template accepts. */
export function shaped(render: RenderRaw, shapings: readonly Shaping[]): RenderRaw {
  return (input, addPrompt) =>
    firstRendered(shapings, (shaping) => render({ ...input, messages: shaping(input.messages) }, addPrompt));
}
