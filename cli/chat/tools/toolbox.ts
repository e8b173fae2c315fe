import type { ChatCompletionRequest } from '../../../src/api/chat/chat.ts';
import type { ChatToolCall } from '../../../src/api/chat/tools.ts';
import type { McpOfferedTool } from '../../../src/api/management/mcp-servers.ts';
import { Failure } from '../../../src/base/errors.ts';
import type { Client } from '../../client/client.ts';
import { sanitiseLine } from '../../output/sanitise.ts';
import type { Answer } from './ask.ts';

const NAME_LENGTH_MAX = 64;
const DESCRIPTION_LENGTH_MAX = 1024;
const ARGUMENTS_SHOWN = 2000;

type Known = { server: string; tool: McpOfferedTool };

export type Toolbox = {
  definitions: NonNullable<ChatCompletionRequest['tools']>;
  /** What the model gets as the result of its call, even if it was refused or failed. */
  call: (call: ChatToolCall, asking: Asking) => Promise<string>;
};

type Parts = { client: Client; note: (text: string) => void };

export type Asking = {
  /** With the change that a tool would make, if it can be shown. */
  ask: (question: string, diff?: string) => Promise<Answer>;
  signal: AbortSignal;
};

/**
 * The tools of MCP servers for a chat. Tools that the owner has not allowed as they are now are left out, and named.
 */
export async function openToolbox({ client, note }: Parts, names: readonly string[]): Promise<Toolbox> {
  const known = new Map<string, Known>();
  for (const server of new Set(names)) {
    const { tools } = await client.mcp.test(server);
    for (const tool of tools)
      if (isAllowed(tool)) known.set(nameFor(server, tool.name, known), { server, tool });
    const waiting = tools.filter(({ state }) => state === 'new' || state === 'changed');
    if (waiting.length > 0) note(waitingText(server, waiting));
  }
  if (known.size === 0) {
    throw new Failure('invalid_value', `No tool of ${names.join(', ')} is allowed.`, {
      details: { fix: `askd mcp test ${names[0] ?? ''}` },
    });
  }
  const definitions = [...known].map(([name, { tool }]) => ({
    type: 'function',
    function: {
      name,
      description: tool.description.slice(0, DESCRIPTION_LENGTH_MAX),
      parameters: tool.input_schema,
    },
  }));
  return { definitions, call: (call, asking) => run({ client, note, known }, call, asking) };
}

function isAllowed({ state }: McpOfferedTool): boolean {
  return state === 'free' || state === 'ask';
}

function waitingText(server: string, tools: readonly McpOfferedTool[]): string {
  const names = tools.map(({ name }) => sanitiseLine(name)).join(', ');
  return `note: new or changed tools of ${server} are left out: ${names}. See askd mcp test ${server}, then askd mcp allow ${server}`;
}

/** Tool names for models consist of letters, digits, `_` and `-`. */
function nameFor(server: string, tool: string, taken: ReadonlyMap<string, Known>): string {
  const name = `${server}__${tool}`.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, NAME_LENGTH_MAX);
  for (let count = 2; ; count++) {
    const one = count === 2 ? name : `${name.slice(0, NAME_LENGTH_MAX - 3)}_${count - 1}`;
    if (!taken.has(one)) return one;
  }
}

async function run(
  { client, note, known }: Parts & { known: Map<string, Known> },
  call: ChatToolCall,
  asking: Asking,
): Promise<string> {
  const { name = '', arguments: text = '{}' } = call.function ?? {};
  const found = known.get(name);
  if (found === undefined) return `Error: there is no tool named ${name}.`;
  const { server, tool } = found;
  const shown = `${server}: ${sanitiseLine(tool.name)} ${shorten(sanitiseLine(text))}`;
  if (tool.state === 'ask') {
    const answer = await asking.ask(shown);
    if (answer === 'no') return 'Error: the user did not allow this call.';
    if (answer === 'always') {
      await client.mcp.allow(server, { tools: [tool.name], use: 'free' });
      tool.state = 'free';
    }
  } else note(shown);
  try {
    const result = await client.mcp.call(server, { tool: tool.name, arguments: parse(text) }, asking.signal);
    return result.is_error ? `Error: ${result.text}` : result.text;
  } catch (error) {
    if (asking.signal.aborted || !(error instanceof Failure)) throw error;
    note(`note: ${sanitiseLine(error.message)}`);
    return `Error: ${error.message}`;
  }
}

/** Nobody should agree to what they cannot see, so a cut is reported. */
function shorten(text: string): string {
  const more = text.length - ARGUMENTS_SHOWN;
  return more > 0 ? `${text.slice(0, ARGUMENTS_SHOWN)} [and ${more} more characters]` : text;
}

function parse(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch (cause) {
    throw new Failure('invalid_json', 'The arguments are not valid JSON.', { cause });
  }
}
