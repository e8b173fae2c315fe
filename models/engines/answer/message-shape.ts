import type { RenderRaw, TemplateMessage } from './template-messages.ts';

/** Makes a message as a template wants it; they differ in what they take for the same. */
export type Shape = (message: TemplateMessage) => Record<string, unknown>;

type RenderShaped = (messages: readonly Record<string, unknown>[]) => string;

const SAID = 'probe said 6632';
const THOUGHT = 'probe thought 7741';
const ARGUMENT = 'argument_3571';

const user: TemplateMessage = { role: 'user', content: SAID };
const thoughtful: TemplateMessage = {
  role: 'assistant',
  content: SAID,
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

/** Texts as lists of parts. */
const inParts: Shape = (message) => ({ ...message, content: [{ type: 'text', text: message.content }] });

/** A thought as a part of what is said. */
const thoughtInParts: Shape = (message) => {
  const { reasoning_content: thought } = message;
  if (thought === undefined) return message;
  const said = message.content === '' ? [] : [{ type: 'text', text: message.content }];
  return { ...message, content: [{ type: 'thinking', thinking: thought }, ...said] };
};

const saysNothing = ({ content }: { content?: unknown }) => content === '';

/** A message with calls says nothing at all, or nothing that would be a text. */
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

/** Of each the first way in which the template shows what it is given. */
export function findShape(source: string, render: RenderShaped): Shape {
  const shows = (text: string, message: TemplateMessage) => (shape: Shape) =>
    attempt(() => render([shape(user), shape(message)]))?.includes(text) ?? false;
  const text = [asIs, inParts].find((shape) => attempt(() => render([shape(user)]))?.includes(SAID)) ?? asIs;
  const calls =
    [asIs, withoutWords, argumentsAsText, bothOf(withoutWords, argumentsAsText)].find(
      shows(ARGUMENT, calling),
    ) ?? asIs;
  const knowsParts = /==\s*(['"])thinking\1/.test(source);
  const thoughts = knowsParts ? ([asIs, thoughtInParts].find(shows(THOUGHT, thoughtful)) ?? asIs) : asIs;
  const inner = bothOf(calls, thoughts);
  return text === asIs
    ? inner
    : bothOf(inner, (message) => (typeof message.content === 'string' ? text(message) : message));
}

function attempt(render: () => string): string | undefined {
  try {
    return render();
  } catch {
    return undefined;
  }
}

export function shaped(render: RenderRaw, shape: Shape): RenderRaw {
  return (input, addPrompt) =>
    render(
      { ...input, messages: input.messages.map((message) => shape(message) as TemplateMessage) },
      addPrompt,
    );
}
