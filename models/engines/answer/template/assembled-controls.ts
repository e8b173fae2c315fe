import type { TemplateInput, TemplateMessage } from './template-messages.ts';

/** They separate the parts of a message or schema that templates look at, and no client chooses them. */
const SCHEMA_WORDS = new Set(
  (
    'type properties required items enum const default description title format anyOf oneOf allOf additionalProperties ' +
    '$defs $ref minimum maximum minLength maxLength minItems maxItems pattern string number integer boolean object array null'
  ).split(' '),
);

type Neutral = {
  neutral: TemplateInput;
  controls: RegExp | undefined;
  mark: (text: string) => string;
};

type Template = { render: (input: TemplateInput) => string };

/** Renders text that is already neutral, and marks the control tokens that the template assembled from it. */
export function renderNeutral(
  template: Template,
  { neutral: input, controls, mark }: Neutral,
  check: (rendered: string) => void = () => {},
): string {
  const rendered = template.render(input);
  check(rendered);
  if (!controls) return rendered;
  return withoutAssembled({ controls, input, rendered, render: (next) => template.render(next), mark });
}

type Rendering = {
  /** Matches the texts of control tokens everywhere. */
  controls: RegExp;
  input: TemplateInput;
  rendered: string;
  render: (input: TemplateInput) => string;
  /** A placeholder for text that must not become a token. */
  mark: (text: string) => string;
};

/**
 * A template can assemble a control token from harmless pieces: by deleting "/think" between them, or by putting a
 * property's name in angle brackets. If that is possible, the template renders again with a guard around every
 * character from the client, so that only what the template itself writes is still whole.
 */
function withoutAssembled({ controls, input, rendered, render, mark }: Rendering): string {
  const written = countMatches(rendered, controls);
  const texts = clientTexts(input).join('');
  const possible = [...written.keys()].filter((text) => isSubsequence(text.slice(1, -1), texts));
  if (possible.length === 0) return rendered;
  const guard = unusedCharacter(texts);
  const guarded = render(mapClientTexts(input, (text) => guardText(text, guard)));
  const byTemplate = countMatches(guarded, controls);
  if (possible.every((text) => (written.get(text) ?? 0) <= (byTemplate.get(text) ?? 0))) return rendered;
  return markAssembled({ guarded, guard, controls, mark });
}

type Guarded = Pick<Rendering, 'controls' | 'mark'> & { guarded: string; guard: string };

function markAssembled({ guarded, guard, controls, mark }: Guarded): string {
  const own = [...guarded.matchAll(controls)];
  const between = guarded.split(new RegExp(controls.source, 'g'));
  return between
    .map((text, index) => text.replaceAll(guard, '').replace(controls, mark) + (own[index]?.[0] ?? ''))
    .join('');
}

function countMatches(text: string, controls: RegExp): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [found] of text.matchAll(controls)) counts.set(found, (counts.get(found) ?? 0) + 1);
  return counts;
}

function isSubsequence(part: string, text: string): boolean {
  let place = 0;
  for (const character of part) {
    place = text.indexOf(character, place) + 1;
    if (place === 0) return false;
  }
  return true;
}

/** From the private use area. */
function unusedCharacter(texts: string): string {
  let code = 0xe100;
  while (texts.includes(String.fromCharCode(code))) code += 1;
  return String.fromCharCode(code);
}

const PLACEHOLDER = /(\uE000\d+\.\d+\uE001)/;

function guardText(text: string, guard: string): string {
  const pieces = text.split(PLACEHOLDER);
  return pieces
    .map((piece, index) =>
      index % 2 === 1 || piece === '' ? piece : `${guard}${[...piece].join(guard)}${guard}`,
    )
    .join('');
}

function clientTexts(input: TemplateInput): string[] {
  const texts: string[] = [];
  mapClientTexts(input, (text) => {
    texts.push(text);
    return text;
  });
  return texts;
}

type Change = (text: string) => string;

function mapClientTexts(input: TemplateInput, change: Change): TemplateInput {
  const { messages, tools, arguments: given } = input;
  return {
    ...input,
    messages: messages.map((message) => mapMessage(message, change)),
    ...(tools && {
      tools: tools.map((tool) => ({
        ...tool,
        name: change(tool.name),
        ...(tool.description !== undefined && { description: change(tool.description) }),
        parameters: mapAll(tool.parameters, change),
      })),
    }),
    ...(given && { arguments: mapValues(given, (value) => (isWord(value) ? value : mapAll(value, change))) }),
  };
}

function mapMessage({ role, tool_calls: calls, ...texts }: TemplateMessage, change: Change): TemplateMessage {
  return {
    ...mapValues(texts, (text) => (text === undefined ? text : change(text))),
    role,
    ...(calls && {
      tool_calls: calls.map((call) => ({
        ...call,
        function: { name: change(call.function.name), arguments: mapAll(call.function.arguments, change) },
      })),
    }),
  };
}

function mapValues<Item extends object>(item: Item, change: (value: Item[keyof Item]) => unknown): Item {
  return Object.fromEntries(
    Object.entries(item).map(([name, value]) => [name, change(value as Item[keyof Item])]),
  ) as Item;
}

/** Property names come from the client as well. */
function mapAll<Value>(value: Value, change: Change): Value {
  if (typeof value === 'string') return (SCHEMA_WORDS.has(value) ? value : change(value)) as Value;
  if (Array.isArray(value)) return value.map((item: unknown) => mapAll(item, change)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [mapAll(name, change), mapAll(item as unknown, change)]),
  ) as Value;
}

/** A switch of a template, such as "high". */
function isWord(value: unknown): boolean {
  return typeof value === 'string' && /^\w*$/.test(value);
}
