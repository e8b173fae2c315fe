import type { ChatCompletionRequest } from '../../../src/api/chat/chat.ts';
import type { Tool } from '../../../src/api/chat/tools.ts';
import type { ChatPrompt, ToolChoice, ToolDefinition } from '../../../src/runtime/engine.ts';
import { customDefinition, hasGrammar } from './custom-tools.ts';
import type { LeaveOut } from '../parameters/leave-out.ts';
import { invalid, required } from '../../http/required.ts';

type Offered = { definition: ToolDefinition; isCustom: boolean; param: string };
type Choice = Exclude<NonNullable<ChatCompletionRequest['tool_choice']>, string>;

export type ReadTools = {
  prompt: Pick<ChatPrompt, 'tools' | 'toolChoice' | 'parallelToolCalls'>;
  /** The names of the tools that take free text. */
  custom: ReadonlySet<string>;
};

/** Functions and custom tools are offered to the model; tools that only a provider can run are omitted and named. */
export function readTools(body: ChatCompletionRequest, leaveOut: LeaveOut): ReadTools {
  const { tools = [], tool_choice: choice, parallel_tool_calls: parallel } = body;
  const offered = tools.flatMap((tool, place) => toOffered(tool, `tools[${place}]`, leaveOut));
  const names = offered.map(({ definition }) => definition.name);
  const twice = names.findIndex((name, index) => names.indexOf(name) < index);
  if (twice !== -1)
    throw invalid(`${offered[twice]?.param}.name`, `Two tools have the name "${names[twice]}".`);
  const custom = new Set(offered.filter(({ isCustom }) => isCustom).map(({ definition }) => definition.name));
  const isFree = choice === undefined || choice === 'none' || choice === 'auto';
  if (offered.length === 0 && !isFree) throw invalid('tool_choice', noneLeft(tools.length));
  if (offered.length === 0) return { prompt: {}, custom };
  const { toolChoice, allowed } = choice === undefined ? {} : readChoice(choice, names);
  const definitions = offered.map(({ definition }) => definition);
  return {
    custom,
    prompt: {
      tools: allowed ? definitions.filter(({ name }) => allowed.includes(name)) : definitions,
      ...(toolChoice !== undefined && { toolChoice }),
      ...(parallel !== undefined && { parallelToolCalls: parallel }),
    },
  };
}

function noneLeft(sent: number): string {
  if (sent === 0) return '"tool_choice" needs "tools".';
  return 'None of these tools can run here. Send tools of the type "function".';
}

function toOffered(tool: Tool, at: string, leaveOut: LeaveOut): Offered[] {
  if (tool.type === 'function') {
    const { name, description, parameters, strict } = required(tool.function, `${at}.function`);
    const definition = {
      name,
      ...(description !== undefined && { description }),
      parameters: parameters ?? { type: 'object', properties: {} },
      ...(strict && { isStrict: true }),
    };
    return [{ definition, isCustom: false, param: `${at}.function` }];
  }
  if (tool.type === 'custom') {
    const { name, ...custom } = required(tool.custom, `${at}.custom`);
    if (hasGrammar(custom)) leaveOut('tools[].custom.format', `${at}.custom.format`);
    return [{ definition: customDefinition(name, custom), isCustom: true, param: `${at}.custom` }];
  }
  leaveOut(`tools[${tool.type}]`, `${at}.type`);
  return [];
}

type ReadChoice = { toolChoice?: ToolChoice; allowed?: readonly string[] };

function readChoice(
  choice: NonNullable<ChatCompletionRequest['tool_choice']>,
  names: readonly string[],
): ReadChoice {
  if (typeof choice === 'string') return { toolChoice: choice };
  const { type } = choice;
  for (const other of ['function', 'custom', 'allowed_tools'] as const)
    if (other !== type && choice[other])
      throw invalid(
        'tool_choice',
        `A tool_choice of the type "${type}" may only have the property "${type}".`,
      );
  if (type !== 'allowed_tools') return { toolChoice: { name: knownName(choice, 'tool_choice', names) } };
  const { mode, tools } = required(choice.allowed_tools, 'tool_choice.allowed_tools');
  const at = (place: number) => `tool_choice.allowed_tools.tools[${place}]`;
  return { toolChoice: mode, allowed: tools.map((tool, place) => knownName(tool, at(place), names)) };
}

type Named = Pick<Choice, 'function' | 'custom'> & { type: string };

function knownName(named: Named, param: string, names: readonly string[]): string {
  const kind = named.type === 'custom' ? 'custom' : 'function';
  const { name } = required(named[kind], `${param}.${kind}`);
  if (names.includes(name)) return name;
  throw invalid(`${param}.${kind}.name`, `No tool has the name "${name}".`);
}
