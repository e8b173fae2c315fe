import type { ToolDefinition } from '../../../../src/runtime/engine.ts';
import type { Rules } from '../../grammar/rules.ts';
import type { ParameterFormat } from './parameter-format.ts';
import type { ParameterKind } from './parameter-kinds.ts';

/** How a model writes tool calls: everything around names and arguments. */
export type CallFormat = {
  /** Before the first name. */
  before: string;
  /** Between a name and its arguments. */
  middle: string;
  /** Between one call's arguments and the next one's name; undefined if only one call is possible. */
  between: string | undefined;
  /** After the last arguments. */
  after: string;
  /** May follow, if the end-of-turn token does not come at once. */
  ending?: string;
  /** What announces a call in a text, if that is not everything before the name. */
  trigger?: string;
  /** How each argument is written, if they are not one JSON object. */
  parameters?: ParameterFormat;
  /** Set if they are written in a different notation altogether. */
  notation?: Notation;
  /** Recognised only at the start of an answer, since elsewhere it could be content. */
  isAtStart?: boolean;
  /** A call may come before the reasoning has ended. */
  endsThought?: boolean;
};

/** A notation other than JSON for all arguments of a call. */
export type Notation = {
  /** Its tags, which may be control tokens. */
  marks: readonly string[];
  createReader(kindOf: (...path: string[]) => ParameterKind): ArgumentsReader;
  /** The rule of a tool's arguments. */
  rule(options: NotationRule): string;
  write(args: Readonly<Record<string, unknown>>): string;
};

export type NotationRule = { tool: ToolDefinition; rules: Rules; param: string };

export type ArgumentsReader = {
  /** The next piece of JSON, and what follows the arguments once they are complete. */
  push(text: string): { json: string; rest?: string };
};

/** The format for models whose template knows no tools. */
export const GENERIC_CALLS: CallFormat = {
  before: '<tool_call>\n{"name": "',
  middle: '", "arguments": ',
  between: '}\n</tool_call>\n<tool_call>\n{"name": "',
  after: '}\n</tool_call>',
};
