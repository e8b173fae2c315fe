import type { ToolDefinition } from '../../../src/runtime/engine.ts';

/** A custom tool takes free text. The model sees a function with that text as its only argument. */
const FREE_TEXT = {
  type: 'object',
  properties: { input: { type: 'string' } },
  required: ['input'],
  additionalProperties: false,
};

type CustomTool = { description?: string | undefined; format?: unknown };
type Format = { type?: string; syntax?: string; definition?: string; grammar?: Format };

/** A grammar for the text is described to the model. */
export function customDefinition(name: string, { description = '', format }: CustomTool): ToolDefinition {
  const { syntax = 'lark', definition = '' } = grammarOf(format) ?? {};
  const grammar = definition === '' ? '' : `The input must follow this grammar (${syntax}):\n${definition}`;
  const text = [description, grammar].filter(Boolean).join('\n\n');
  return { name, ...(text && { description: text }), parameters: FREE_TEXT };
}

export function hasGrammar({ format }: CustomTool): boolean {
  return grammarOf(format) !== undefined;
}

/** The two APIs nest it differently. */
function grammarOf(format: unknown): Format | undefined {
  const { type, ...rest } = (format ?? {}) as Format;
  return type === 'grammar' ? (rest.grammar ?? rest) : undefined;
}

export function customArguments(input: string): string {
  return JSON.stringify({ input });
}

/** Truncated arguments are not valid JSON and are passed on as they are. */
export function freeText(json: string): string {
  try {
    return (JSON.parse(json) as { input: string }).input;
  } catch {
    return json.replace(/^\s*\{\s*"input"\s*:\s*"?/, '');
  }
}
