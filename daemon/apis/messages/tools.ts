import type { MessageTool, MessageToolChoice } from '../../../src/api/chat/message-tools.ts';
import type { CountTokensRequest, TurnMessage } from '../../../src/api/chat/messages.ts';
import type { ChatPrompt, ToolChoice, ToolDefinition } from '../../../src/runtime/engine.ts';
import type { HostedTool } from '../hosted/hosted-tool.ts';
import { clientTool } from './client-tools.ts';
import { cannotBeDone, invalid, required } from './invalid.ts';
import type { Reading } from './turns.ts';

type Offer = { tool: MessageTool; param: string };
type Left = Map<string, string>;

/** The tools that the model may call: the client's, then those that run here. Tools of a provider are omitted. */
export function toTools(
  {
    tools = [],
    tool_choice: choice,
    messages,
  }: Pick<CountTokensRequest, 'tools' | 'tool_choice' | 'messages'>,
  { leaveOut, hosted }: Pick<Reading, 'leaveOut' | 'hosted'>,
): Pick<ChatPrompt, 'tools' | 'toolChoice' | 'parallelToolCalls'> {
  const offers = afterChanges(
    tools.map((tool, place) => ({ tool, param: `tools[${place}]` })).filter(({ tool }) => !isToolset(tool)),
    messages,
  );
  const left: Left = new Map();
  const here = [...(hosted?.tools.values() ?? [])];
  const offered = offers.flatMap(({ tool, param }) => {
    const definition = toDefinition(tool, param);
    if (definition) return [definition];
    left.set(tool.name ?? '', tool.type ?? 'custom');
    leaveOut(`tools[].${tool.type ?? 'custom'}`, param);
    return [];
  });
  const definitions = [...offered, ...here.map(({ definition }) => definition)];
  refuseTwins(definitions, offers);
  if (definitions.length === 0) {
    refuseForced(choice, left);
    return {};
  }
  return {
    tools: definitions,
    ...(choice && { toolChoice: toChoice(choice, { definitions, here, left }) }),
    ...(choice?.disable_parallel_tool_use && { parallelToolCalls: false }),
  };
}

/** Messages may add and remove tools; the final set counts. */
function afterChanges(tools: readonly Offer[], messages: readonly TurnMessage[]): Offer[] {
  let offers = [...tools];
  for (const [index, { content }] of messages.entries()) {
    if (typeof content !== 'object') continue;
    for (const [place, { type, tool }] of content.entries()) {
      const param = `messages[${index}].content[${place}].tool`;
      if (namesMcp(tool?.type)) continue;
      if (type === 'tool_removal') offers = offers.filter(({ tool: { name } }) => name !== tool?.name);
      if (type !== 'tool_addition' || tool?.type === 'tool_reference') continue;
      if (tool?.type !== 'tool_definition' || !isTool(tool.definition))
        throw invalid(
          param,
          'An added tool must be a tool_definition, or a tool_reference to one of "tools".',
        );
      offers.push({ tool: tool.definition, param: `${param}.definition` });
    }
  }
  return offers;
}

/** Opened with the MCP servers of the request. */
const isToolset = ({ type }: MessageTool) => type === 'mcp_toolset';

/** Opening the servers decides which tools of MCP servers are added and removed. */
const namesMcp = (type = '') => type === 'mcp_tool_reference' || type === 'mcp_toolset_reference';

function isTool(value: unknown): value is MessageTool {
  if (typeof value !== 'object' || value === null) return false;
  const { type, name, description, input_schema: schema } = value as Record<string, unknown>;
  const areTexts = [type, name, description].every((each) => each === undefined || typeof each === 'string');
  return areTexts && (schema === undefined || (typeof schema === 'object' && schema !== null));
}

function toDefinition(tool: MessageTool, param: string): ToolDefinition | undefined {
  const { type = 'custom', strict, input_examples: examples = [], allowed_callers: callers } = tool;
  if (callers && !callers.includes('direct')) return undefined;
  if (type !== 'custom') return clientTool(type, tool);
  const name = required(tool.name, `${param}.name`);
  const parameters = required(tool.input_schema, `${param}.input_schema`);
  const shown = examples.map((example) => JSON.stringify(example)).join('\n');
  const description = [tool.description, shown && `Examples of its input:\n${shown}`]
    .filter(Boolean)
    .join('\n\n');
  return { name, ...(description && { description }), parameters, ...(strict && { isStrict: true }) };
}

function refuseTwins(definitions: readonly ToolDefinition[], offers: readonly Offer[]): void {
  const names = definitions.map(({ name }) => name);
  const twin = names.find((name, index) => names.indexOf(name) < index);
  if (twin === undefined) return;
  const offer = offers.findLast(({ tool }) => tool.name === twin);
  throw invalid(`${offer?.param ?? 'tools'}.name`, `Two tools have the name "${twin}".`);
}

/** Without tools, none can be required. */
function refuseForced(choice: MessageToolChoice | undefined, left: Left): void {
  if (choice?.type !== 'any' && choice?.type !== 'tool') return;
  if (choice.name !== undefined && left.has(choice.name)) throw leftOut(choice.name, left);
  const [only] = left.keys();
  if (only !== undefined) throw leftOut(only, left);
  throw invalid('tool_choice', '"tool_choice" needs "tools".');
}

type Choosable = { definitions: readonly ToolDefinition[]; here: readonly HostedTool[]; left: Left };

function toChoice({ type, name }: MessageToolChoice, { definitions, here, left }: Choosable): ToolChoice {
  if (type === 'any') return 'required';
  if (type !== 'tool') return type;
  const wanted = required(name, 'tool_choice.name');
  if (definitions.some((each) => each.name === wanted)) return { name: wanted };
  const meant = here.find((tool) => `${tool.server ?? ''}_${tool.name ?? ''}` === wanted);
  if (meant) return { name: meant.definition.name };
  if (left.has(wanted)) throw leftOut(wanted, left);
  throw invalid('tool_choice.name', `No tool has the name "${wanted}".`);
}

function leftOut(name: string, left: Left): Error {
  return cannotBeDone(
    'tool_choice',
    `The tool "${name}" (${left.get(name) ?? ''}) runs at a provider and cannot be called here. Choose a tool that your client runs, or omit "tool_choice".`,
  );
}
