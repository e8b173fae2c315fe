import type { ToolDefinition } from '../../../../src/runtime/engine.ts';
import type { Rules } from '../../grammar/rules.ts';
import type { ParameterFormat } from './parameter-format.ts';
import type { ParameterKind } from './parameter-kinds.ts';

/** How a model writes calls of tools: everything around the names and the arguments. */
export type CallFormat = {
  /** Before the first name. */
  before: string;
  /** Between a name and its arguments. */
  middle: string;
  /** After one call's arguments and before the next one's name; undefined where only one call can be made. */
  between: string | undefined;
  /** After the last arguments. */
  after: string;
  /** May come after that, where the token that ends the turn does not come at once. */
  ending?: string;
  /** By what it is known among words, where that is not all before the name. */
  trigger?: string;
  /** Where arguments are no JSON object: how each of them is written. */
  parameters?: ParameterFormat;
  /** Where they are written in another notation altogether. */
  notation?: Notation;
  /** Known only at the beginning of an answer, since it could be words anywhere else. */
  isAtStart?: boolean;
  /** A call of it may come before a thought has been brought to its end. */
  endsThought?: boolean;
};

/** Another way than JSON to write all the arguments of a call. */
export type Notation = {
  /** The marks in it that may be control tokens. */
  marks: readonly string[];
  createReader(kindOf: (...path: string[]) => ParameterKind): ArgumentsReader;
  /** The rule of a tool's arguments. */
  rule(options: NotationRule): string;
  write(args: Readonly<Record<string, unknown>>): string;
};

export type NotationRule = { tool: ToolDefinition; rules: Rules; param: string };

export type ArgumentsReader = {
  /** The next piece of JSON, and what came after the arguments, when they are over. */
  push(text: string): { json: string; rest?: string };
};

/** What is said to a model whose template knows no tools. */
export const GENERIC_CALLS: CallFormat = {
  before: '<tool_call>\n{"name": "',
  middle: '", "arguments": ',
  between: '}\n</tool_call>\n<tool_call>\n{"name": "',
  after: '}\n</tool_call>',
};
