import type { ChatCompletionRequest, ChatMessage } from '../../../../../../../src/api/chat/chat.ts';
import { withSystem } from '../state/messages.ts';
import type { AskedFormat } from '../state/turn.ts';
import {
  CHOICES,
  MAIN_NUMBERS,
  problemOf,
  REASONING_TOKENS,
  SAMPLING_NUMBERS,
  toNumbers,
} from './controls.ts';
import { readJson } from './json.ts';
import { nameOf, readTools, toolChoiceOf } from './tools.ts';
import { SCHEMA_EXAMPLES } from './schemas.ts';

export type FormatKind = 'text' | 'json' | 'schema' | 'choice' | 'grammar';

/** Everything as it was typed, so that nothing is lost while it is not yet valid. */
export type ChatSettings = {
  model: string;
  system: string;
  numbers: Readonly<Record<string, string>>;
  effort: string;
  /** One per line. */
  stop: string;
  /** JSON: token id → bias. */
  logitBias: string;
  /** JSON: variables of the chat template. */
  templateArguments: string;
  /** How many alternatives of each token; empty for no probabilities. */
  alternatives: string;
  format: FormatKind;
  schema: string;
  /** One per line. */
  allowed: string;
  grammar: string;
  tools: string;
  /** `auto`, `none`, `required`, or `=` and the name of a tool. */
  toolChoice: string;
  parallel: boolean;
};

/** What a form of settings shows and changes. */
export type FormProps = {
  settings: ChatSettings;
  /** By parameter. */
  problems: Readonly<Record<string, string>>;
  onChange: (settings: ChatSettings) => void;
};

export const DEFAULTS: ChatSettings = {
  model: 'svc-chat-v1',
  system: '',
  numbers: {},
  effort: '',
  stop: '',
  logitBias: '',
  templateArguments: '',
  alternatives: '',
  format: 'text',
  schema: JSON.stringify(SCHEMA_EXAMPLES['Person'], null, 2),
  allowed: 'yes\nno',
  grammar: 'root ::= "yes" | "no"',
  tools: '',
  toolChoice: 'auto',
  parallel: true,
};

const NUMBERS = [...MAIN_NUMBERS, ...SAMPLING_NUMBERS, CHOICES];

export function toBody(settings: ChatSettings, messages: readonly ChatMessage[]): ChatCompletionRequest {
  const { model, system, numbers, stop, logitBias, templateArguments, alternatives } = settings;
  const stops = linesOf(stop);
  return {
    model,
    messages: withSystem(system, messages),
    ...toNumbers(NUMBERS, numbers),
    ...reasoningOf(settings),
    ...(stops.length > 0 && { stop: stops }),
    ...recordOf('logit_bias', logitBias),
    ...recordOf('chat_template_kwargs', templateArguments),
    ...(alternatives !== '' && { logprobs: true, top_logprobs: Number(alternatives) }),
    ...formatOf(settings),
    ...toolsOf(settings),
    stream: true,
    stream_options: { include_usage: true },
  };
}

type Effort = NonNullable<ChatCompletionRequest['reasoning_effort']>;

function reasoningOf({ effort, numbers }: ChatSettings): Partial<ChatCompletionRequest> {
  const tokens = numbers[REASONING_TOKENS.name] ?? '';
  if (tokens === '') return effort === '' ? {} : { reasoning_effort: effort as Effort };
  return { reasoning: { ...(effort !== '' && { effort: effort as Effort }), max_tokens: Number(tokens) } };
}

function recordOf(name: string, text: string): Record<string, unknown> {
  if (text.trim() === '') return {};
  const { value, problem } = readJson(text);
  return problem ? {} : { [name]: value };
}

export function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}

function formatOf({ format, schema, allowed, grammar }: ChatSettings): Partial<ChatCompletionRequest> {
  switch (format) {
    case 'text':
      return {};
    case 'json':
      return { response_format: { type: 'json_object' } };
    case 'schema': {
      const { value } = readJson(schema);
      return { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: value } } };
    }
    case 'choice':
      return { structured_outputs: { choice: linesOf(allowed) } };
    case 'grammar':
      return { grammar };
  }
}

export function askedFormat({ format, schema }: ChatSettings): AskedFormat | undefined {
  if (format === 'json') return { kind: 'json' };
  return format === 'schema' ? { kind: 'schema', schema: readJson(schema).value } : undefined;
}

function toolsOf({ tools: text, toolChoice, parallel }: ChatSettings): Partial<ChatCompletionRequest> {
  const { tools } = readTools(text);
  if (tools.length === 0) return {};
  const choice = toolChoiceOf(toolChoice, tools);
  return {
    tools: [...tools],
    ...(choice !== 'auto' && { tool_choice: choiceOf(choice, tools) }),
    ...(!parallel && { parallel_tool_calls: false }),
  };
}

type ToolChoice = NonNullable<ChatCompletionRequest['tool_choice']>;

function choiceOf(choice: string, tools: ReturnType<typeof readTools>['tools']): ToolChoice {
  if (!choice.startsWith('=')) return choice as ToolChoice;
  const name = choice.slice(1);
  const isCustom = tools.some((tool) => nameOf(tool) === name && tool.type === 'custom');
  return isCustom ? { type: 'custom', custom: { name } } : { type: 'function', function: { name } };
}

/** What must be corrected before a request can be sent, by the parameter that it concerns. */
export function problemsOf(settings: ChatSettings): Readonly<Record<string, string>> {
  const { numbers, logitBias, templateArguments, format, schema, tools, allowed, grammar } = settings;
  const found: [string, string][] = [
    ...[...NUMBERS, REASONING_TOKENS].map((control): [string, string] => [
      control.name,
      problemOf(control, numbers[control.name] ?? ''),
    ]),
    ['logit_bias', problemOfRecord(logitBias)],
    ['chat_template_kwargs', problemOfRecord(templateArguments)],
    ['response_format', format === 'schema' ? problemOfSchema(schema) : ''],
    [
      'structured_outputs',
      format === 'choice' && linesOf(allowed).length === 0 ? 'At least one answer.' : '',
    ],
    ['grammar', format === 'grammar' && grammar.trim() === '' ? 'A grammar.' : ''],
    ['tools', readTools(tools).problem],
  ];
  return Object.fromEntries(found.filter(([, problem]) => problem !== ''));
}

function problemOfRecord(text: string): string {
  if (text.trim() === '') return '';
  const read = readJson(text);
  if (read.problem) return placed(read.problem);
  return isRecord(read.value) ? '' : 'An object: { … }.';
}

function problemOfSchema(text: string): string {
  const read = readJson(text);
  if (read.problem) return placed(read.problem);
  return isRecord(read.value) || typeof read.value === 'boolean' ? '' : 'A schema is an object: { … }.';
}

function placed({ line, column, message }: { line: number; column: number; message: string }): string {
  return `Line ${line}, column ${column}: ${message}.`;
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
