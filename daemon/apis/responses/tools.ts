import type { InputTokensRequest } from '../../../src/api/chat/responses.ts';
import type { ResponseTool, ResponseToolChoice } from '../../../src/api/chat/response-input.ts';
import type { ChatPrompt, ToolChoice, ToolDefinition } from '../../../src/runtime/engine.ts';
import { customDefinition, hasGrammar } from '../chat/custom-tools.ts';
import type { LeaveOut } from '../parameters/leave-out.ts';
import type { HostedTool, HostedTools } from '../hosted/hosted-tool.ts';
import { invalid, required } from '../../http/required.ts';

/** The client's name of a tool; the model knows each tool by a single name. */
export type ClientTool = { kind: 'function' | 'custom'; name: string; namespace?: string };

/** The tools of a request by the names that the model uses. */
export type ClientTools = ReadonlyMap<string, ClientTool>;

type Named = { param: string; client: ClientTool; tool: ResponseTool };

/**
 * Tools that the client runs are offered to the model: functions, those in a namespace, and custom tools, whose free
 * text becomes the one argument of a function. Tools that only a provider can run are omitted and named.
 */
export function toTools(body: InputTokensRequest, { leaveOut, hosted }: Given) {
  const { tools: sent = [], tool_choice: choice, parallel_tool_calls: parallel } = body;
  const here = [...(hosted?.tools.values() ?? [])];
  const isHere = ({ type }: ResponseTool) => hosted !== undefined && HOSTED.includes(type);
  const offered = sent.flatMap((tool, place) =>
    isHere(tool) ? [] : named(tool, `tools[${place}]`, leaveOut),
  );
  refuseHosted(offered, hosted);
  const byName = new Map(offered.map((one) => [modelName(one.client), one]));
  refuseTwins(offered);
  const clientTools: ClientTools = new Map([...byName].map(([name, { client }]) => [name, client]));
  const prompt: Pick<ChatPrompt, 'tools' | 'toolChoice' | 'parallelToolCalls'> = {};
  const chosen = choice === undefined ? undefined : toChoice(choice, { clientTools, hosted });
  const definitions = [
    ...offered.map((each) => ({ name: modelName(each.client), definition: toDefinition(each) })),
    ...here.map(({ definition }) => ({ name: definition.name, definition })),
  ];
  if (definitions.length > 0) {
    const wanted = definitions.filter(({ name }) => chosen?.allowed?.has(name) ?? true);
    prompt.tools = wanted.map(({ definition }) => definition);
    if (chosen) prompt.toolChoice = chosen.choice;
    if (parallel !== undefined) prompt.parallelToolCalls = parallel;
  } else if (chosen && typeof chosen.choice === 'string' && chosen.choice === 'required') {
    throw invalid('tool_choice', noneLeft(sent.length));
  }
  return { prompt, clientTools };
}

/** Types of tools that run here. */
const HOSTED = ['file_search', 'mcp'];

type Given = { leaveOut: LeaveOut; hosted?: HostedTools | undefined };

function refuseHosted(offered: readonly Named[], hosted: HostedTools | undefined): void {
  const twin = offered.find(({ client }) => hosted?.tools.has(modelName(client)));
  if (twin) throw invalid(`${twin.param}.name`, `A tool that runs here has the name "${twin.client.name}".`);
}

function noneLeft(sent: number): string {
  if (sent === 0) return '"tool_choice" needs "tools".';
  return 'None of these tools can run here, so none can be required. Send tools of the type "function".';
}

/** The client's view of a tool of the request, or of each in a namespace. */
function named(tool: ResponseTool, param: string, leaveOut: LeaveOut): Named[] {
  if (tool.type === 'function' || tool.type === 'custom') {
    const client: ClientTool = { kind: tool.type, name: required(tool.name, `${param}.name`) };
    nameOddFields(tool, param, leaveOut);
    return [{ param, client, tool }];
  }
  if (tool.type === 'namespace') {
    const namespace = required(tool.name, `${param}.name`);
    const inner = (tool.tools ?? []) as ResponseTool[];
    return inner.flatMap((one, place) =>
      named(one, `${param}.tools[${place}]`, leaveOut).map((each) => ({
        ...each,
        client: { ...each.client, namespace },
      })),
    );
  }
  leaveOut(`tools[${tool.type}]`, `${param}.type`);
  return [];
}

const FIELDS = ['type', 'name', 'description', 'parameters', 'strict', 'format'];

/** A grammar for free text is described to the model. */
function nameOddFields(tool: ResponseTool, param: string, leaveOut: LeaveOut): void {
  for (const name of Object.keys(tool))
    if (!FIELDS.includes(name)) leaveOut(`tools[].${name}`, `${param}.${name}`);
  if (hasGrammar(tool)) leaveOut('tools[].format', `${param}.format`);
}

/** Templates and grammars allow letters, digits, `_` and `-` in tool names. */
export function modelName({ name, namespace }: Pick<ClientTool, 'name' | 'namespace'>): string {
  if (namespace === undefined || namespace === '') return name;
  return namespace.endsWith('__') ? `${namespace}${name}` : `${namespace}__${name}`;
}

function refuseTwins(offered: readonly Named[]): void {
  const names = offered.map(({ client }) => modelName(client));
  const twice = names.findIndex((name, index) => names.indexOf(name) < index);
  const { param } = offered[twice] ?? {};
  if (param !== undefined) throw invalid(`${param}.name`, `Two tools have the name "${names[twice] ?? ''}".`);
}

function toDefinition({ client, tool }: Named): ToolDefinition {
  const name = modelName(client);
  if (client.kind === 'custom') return customDefinition(name, tool);
  const { description, parameters, strict } = tool;
  return {
    name,
    ...(description !== undefined && { description }),
    parameters: parameters ?? { type: 'object', properties: {} },
    ...(strict && { isStrict: true }),
  };
}

type Chosen = { choice: ToolChoice; allowed?: ReadonlySet<string> };

type Known = { clientTools: ClientTools; hosted: HostedTools | undefined };

function toChoice(choice: ResponseToolChoice, tools: Known): Chosen {
  if (typeof choice === 'string') return { choice };
  if (choice.type === 'allowed_tools') {
    const allowed = required(choice.tools, 'tool_choice.tools');
    const names = allowed.map((one, place) => knownName(one, `tool_choice.tools[${place}]`, tools));
    return { choice: choice.mode ?? 'auto', allowed: new Set(names) };
  }
  return { choice: { name: knownName(choice, 'tool_choice', tools) } };
}

type Wanted = { type: string; name?: string; namespace?: string; server_label?: string };

function knownName(
  { type, name, namespace, server_label: label }: Wanted,
  param: string,
  { clientTools, hosted }: Known,
): string {
  const isMeant = (tool: HostedTool) =>
    tool.type === type && (type !== 'mcp' || (tool.server === label && tool.name === name));
  const here = [...(hosted?.tools.values() ?? [])].find(isMeant);
  if (here) return here.definition.name;
  if (type !== 'function' && type !== 'custom')
    throw invalid(
      `${param}.type`,
      `Tools of the type "${type}" cannot run here, so this one cannot be chosen.`,
    );
  const wanted = modelName({ name: required(name, `${param}.name`), ...(namespace && { namespace }) });
  if (clientTools.has(wanted)) return wanted;
  throw invalid(`${param}.name`, `No tool has the name "${wanted}".`);
}
