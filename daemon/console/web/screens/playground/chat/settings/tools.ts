import type { Tool } from '../../../../../../../src/api/chat/tools.ts';
import { readJson } from './json.ts';

export type ReadTools = { tools: readonly Tool[]; problem: string };

const NAME = /^[a-zA-Z0-9_.-]{1,64}$/;

/** The definitions that were typed, or what is wrong with them. */
export function readTools(text: string): ReadTools {
  if (text.trim() === '') return { tools: [], problem: '' };
  const { value, problem } = readJson(text);
  if (problem)
    return { tools: [], problem: `Line ${problem.line}, column ${problem.column}: ${problem.message}.` };
  if (!Array.isArray(value)) return { tools: [], problem: 'A list of tools: [ … ].' };
  for (const [index, tool] of value.entries()) {
    const wrong = problemOfTool(tool as Partial<Tool> | null);
    if (wrong !== '') return { tools: [], problem: `Tool ${index + 1}: ${wrong}` };
  }
  return { tools: value as Tool[], problem: '' };
}

export function nameOf({ function: called, custom, type }: Tool): string {
  return called?.name ?? custom?.name ?? type;
}

/** A chosen tool that was renamed or removed counts as not chosen. */
export function toolChoiceOf(choice: string, tools: readonly Tool[]): string {
  const isKnown = !choice.startsWith('=') || tools.some((tool) => nameOf(tool) === choice.slice(1));
  return isKnown ? choice : 'auto';
}

function problemOfTool(tool: Partial<Tool> | null): string {
  if (typeof tool !== 'object' || tool === null) return 'it must be an object.';
  const body = tool.type === 'custom' ? tool.custom : tool.function;
  if (tool.type !== 'function' && tool.type !== 'custom') return 'its "type" must be "function" or "custom".';
  if (typeof body !== 'object') return `it has no "${tool.type}": { "name": … }.`;
  if (typeof body.name !== 'string') return 'it has no "name".';
  if (!NAME.test(body.name))
    return 'its "name" may have at most 64 letters, digits, dots, dashes and underscores.';
  return '';
}

export const TOOL_EXAMPLES: Readonly<Record<string, readonly Tool[]>> = {
  Weather: [
    {
      type: 'function',
      function: {
        name: 'get_weather',
        description: 'The weather of a city in the next days.',
        parameters: {
          type: 'object',
          properties: {
            city: { type: 'string', description: 'The name of the city' },
            days: { type: 'integer', minimum: 1, maximum: 7 },
          },
          required: ['city'],
          additionalProperties: false,
        },
      },
    },
  ],
  'Search and read': [
    {
      type: 'function',
      function: {
        name: 'search',
        description: 'Finds documents by words. Returns their ids and titles.',
        parameters: {
          type: 'object',
          properties: { query: { type: 'string' } },
          required: ['query'],
          additionalProperties: false,
        },
      },
    },
    {
      type: 'function',
      function: {
        name: 'read_document',
        description: 'The text of a document that a search found.',
        parameters: {
          type: 'object',
          properties: { id: { type: 'string' } },
          required: ['id'],
          additionalProperties: false,
        },
      },
    },
  ],
  'Free text': [
    {
      type: 'custom',
      custom: { name: 'run_python', description: 'Runs a Python program and returns its output.' },
    },
  ],
};
