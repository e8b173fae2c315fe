import type { CallToolResult } from '@modelcontextprotocol/client';

const CHARACTERS_MAX = 100_000;

export type ToolOutcome = { text: string; isError: boolean };

/** The part of a result that a model can read. Everything else is named. */
export function toOutcome({ content, structuredContent, isError = false }: CallToolResult): ToolOutcome {
  const parts = content.map(textOf);
  if (parts.length === 0 && structuredContent !== undefined) parts.push(JSON.stringify(structuredContent));
  return { text: shorten(parts.join('\n')), isError };
}

function textOf(part: CallToolResult['content'][number]): string {
  if (part.type === 'text') return part.text;
  if (part.type === 'resource_link') return part.uri;
  if (part.type === 'resource')
    return 'text' in part.resource ? part.resource.text : `[${part.resource.uri}]`;
  return `[${part.type}, ${part.mimeType}]`;
}

function shorten(text: string): string {
  if (text.length <= CHARACTERS_MAX) return text;
  const end = text.slice(0, CHARACTERS_MAX).replace(/[\ud800-\udbff]$/, '');
  return `${end}\n[${text.length - end.length} more characters were left out]`;
}
