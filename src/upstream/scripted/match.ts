import type { Condition } from './parse-script.ts';

export type Asked = {
  /** The user's last message. */
  message: string;
  /** What tools returned after it. */
  results: readonly string[];
};

const SHOWN_LENGTH = 120;

/** Why a request does not meet a condition; empty if it does. */
export function objections(when: Condition, { message, results }: Asked): string[] {
  const { message: exact, contains, matches, tool_result: result } = when;
  const said = `the last message of the user, ${show(message)},`;
  const found: string[] = [];
  if (exact !== undefined && message !== exact) found.push(`${said} is not ${show(exact)}`);
  if (contains !== undefined && !message.includes(contains))
    found.push(`${said} does not contain ${show(contains)}`);
  if (matches !== undefined && !new RegExp(matches, 'u').test(message))
    found.push(`${said} does not match ${show(matches)}`);
  if (result === true && results.length === 0) found.push('no result of a tool follows that message');
  if (result === false && results.length > 0) found.push('the result of a tool follows that message');
  if (typeof result === 'string' && !results.at(-1)?.includes(result))
    found.push(`the last result of a tool does not contain ${show(result)}`);
  return found;
}

/** How many words of a condition the message has. */
export function likeness({ message = '', contains = '', matches = '' }: Condition, asked: Asked): number {
  const said = new Set(wordsIn(asked.message));
  return wordsIn(`${message} ${contains} ${matches}`).filter((word) => said.has(word)).length;
}

function wordsIn(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function show(text: string): string {
  return JSON.stringify(text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text);
}
