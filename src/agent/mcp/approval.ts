import { createHash } from 'node:crypto';
import type { Tool } from '@modelcontextprotocol/client';

/** `free` runs without asking, `ask` asks first, `never` does not run at all. */
export const USES = ['free', 'ask', 'never'] as const;
export type Use = (typeof USES)[number];

/** A tool as the owner allowed it. */
export type AllowedTool = { name: string; fingerprint: string; use: Use };

/** `new` and `changed` tools wait until the owner allows them. */
export type ToolState = Use | 'new' | 'changed';

/** Everything that a model sees of a tool. Any change could carry new instructions. */
export function fingerprintOf({ name, title, description, inputSchema, annotations }: Tool): string {
  const read = JSON.stringify([name, title, description, inputSchema, annotations]);
  return createHash('sha256').update(read).digest('hex');
}

/** Tools that the server itself calls read-only need no approval unless the owner says otherwise. */
export function allowAtFirst(tool: Tool): AllowedTool {
  const use = tool.annotations?.readOnlyHint === true ? 'free' : 'ask';
  return { name: tool.name, fingerprint: fingerprintOf(tool), use };
}

export function stateOf(tool: Tool, allowed: readonly AllowedTool[]): ToolState {
  const known = allowed.find(({ name }) => name === tool.name);
  if (known === undefined) return 'new';
  if (known.use === 'never') return 'never';
  return known.fingerprint === fingerprintOf(tool) ? known.use : 'changed';
}
