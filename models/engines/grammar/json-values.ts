import type { Rules } from './rules.ts';

/** Whitespace between tokens. Bounded, so that no model writes it forever. */
export const SPACE = '| " " | "\\n" [ \\t]{0,20}';

/** A character of a string that needs no escape. */
export const PLAIN = '[^"\\\\\\x7F\\x00-\\x1F]';
/** Without surrogate halves, which are not characters by themselves. */
const UNICODE = '"u" ([0-9a-cA-CefEF] [0-9a-fA-F]{3} | [dD] [0-7] [0-9a-fA-F]{2})';
const CHARACTER = `${PLAIN} | "\\\\" (["\\\\bfnrt] | ${UNICODE})`;

const INTEGER = '"-"? ("0" | [1-9] [0-9]{0,14})';
const NUMBER = '"-"? ("0" | [1-9] [0-9]{0,14}) ("." [0-9]{1,15})? ([eE] [-+]? [0-9]{1,2})?';

/** The rules of JSON's basic values, each defined when it is first used. */
export function createValues(rules: Rules) {
  const space = () => rules.define('space', SPACE);
  const character = () => rules.define('char', CHARACTER);
  const string = () => rules.define('string', `"\\"" ${character()}* "\\""`);
  const number = () => rules.define('number', NUMBER);
  let any: string | undefined;

  function value(): string {
    if (any !== undefined) return any;
    any = rules.reserve('value');
    const scalars = `${string()} | ${number()} | "true" | "false" | "null"`;
    rules.fill(any, `${objectOf(any)} | ${arrayOf(any)} | ${scalars}`);
    return any;
  }

  function objectOf(item: string): string {
    const pair = rules.define('pair', `${string()} ${space()} ":" ${space()} ${item}`);
    return rules.define('object', braces(`${pair} (${comma()} ${pair})*`));
  }

  function arrayOf(item: string): string {
    return rules.define('array', `"[" ${space()} (${item} (${comma()} ${item})* ${space()})? "]"`);
  }

  function braces(inner: string): string {
    return `"{" ${space()} (${inner} ${space()})? "}"`;
  }

  const comma = () => `${space()} "," ${space()}`;

  return {
    space,
    comma,
    character,
    string,
    number,
    value,
    integer: () => rules.define('integer', INTEGER),
    object: () => objectOf(value()),
    array: () => arrayOf(value()),
  };
}

export type Values = ReturnType<typeof createValues>;
