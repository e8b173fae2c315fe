import type {
  InspectedMcpServer,
  McpOfferedTool,
  McpServer,
} from '../../../src/api/management/mcp-servers.ts';
import { sanitiseLine } from '../../output/sanitise.ts';

const STATES: Readonly<Record<McpOfferedTool['state'], string>> = {
  free: 'runs without asking',
  ask: 'asks first',
  never: 'not allowed',
  new: 'new: not allowed yet',
  changed: 'changed since it was allowed: not allowed now',
};

export function placeText({ url, command = [] }: Pick<McpServer, 'url' | 'command'>): string {
  return sanitiseLine(
    url ?? command.map((word) => (/^[\w./:@=+-]+$/.test(word) ? word : JSON.stringify(word))).join(' '),
  );
}

export function loginText({ name, login }: Pick<McpServer, 'name' | 'login'>): string {
  if (login === 'needed') return `needed: askd mcp login ${name}`;
  return login === 'active' ? `active; to end it: askd mcp logout ${name}` : '';
}

/** Each tool with everything that the server says about it, which the owner decides by. */
export function toolsText({ name, tools }: Pick<InspectedMcpServer, 'name' | 'tools'>): string {
  const lines = tools.flatMap((tool) => {
    const description = sanitiseLine(tool.description);
    return [
      `  ${sanitiseLine(tool.name)} (${STATES[tool.state]})`,
      ...(description ? [`    ${description}`] : []),
    ];
  });
  const waiting = tools.filter(({ state }) => state === 'new' || state === 'changed');
  const fix = waiting.length === 0 ? [] : [`To allow what is new or changed: askd mcp allow ${name}`];
  return [...(lines.length === 0 ? ['  It offers no tools.'] : lines), ...fix].join('\n');
}

/** What requests with a key may call now. */
export function keyText({ name, keys }: Pick<InspectedMcpServer, 'name' | 'keys'>, keyId: string): string {
  const tools = keys.find(({ key }) => key === keyId)?.tools ?? [];
  if (tools.length === 0) return `${keyId} may use no tools of ${name}.`;
  return `${keyId} may use these tools of ${name}: ${tools.map(sanitiseLine).join(', ')}`;
}
