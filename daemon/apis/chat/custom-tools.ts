import type { ToolDefinition } from '../../../src/runtime/engine.ts';

/** A custom tool takes free text. The model is offered a function whose one argument that text is. */
const FREE_TEXT = {
  type: 'object',
  properties: { input: { type: 'string' } },
  required: ['input'],
  additionalProperties: false,
};

type CustomTool = { description?: string | undefined; format?: unknown };
type Format = { type?: string; syntax?: string; definition?: string; grammar?: Format };

/** A grammar for the text is told to the model in words. */
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

/** What was cut off in the middle is no JSON any more, and is given as far as it came. */
export function freeText(json: string): string {
  try {
    return (JSON.parse(json) as { input: string }).input;
  } catch {
    return json.replace(/^\s*\{\s*"input"\s*:\s*"?/, '');
  }
}
