import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Failure } from '../../../../src/base/errors.ts';
import type { ChatMessage } from '../../../../src/runtime/engine.ts';
import { parseScript } from '../../../../src/upstream/scripted/parse-script.ts';
import { createScript } from '../../../../src/upstream/scripted/script.ts';
import { textOf } from '../../../helpers/docs/pages.ts';

function scriptOf(source: string) {
  const path = join(mkdtempSync(join(tmpdir(), 'askd-script-')), 'answers.yaml');
  const write = (text: string) => writeFileSync(path, text);
  write(source);
  const script = createScript(path);
  const says = (...messages: ChatMessage[]) => script.answerTo({ messages }).text;
  return { path, write, says, check: () => script.check() };
}

const user = (content: string): ChatMessage => ({ role: 'user', content });
const result = (content: string): ChatMessage => ({ role: 'tool', toolCallId: 'call_1', content });

/** The message of the failure that is thrown. */
function failureOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof Failure) return `${error.code}: ${error.message}`;
  }
  throw new Error('nothing failed');
}

const RULES = `
rules:
  - when: { message: Hello. }
    answer: { text: exact }
  - when: { contains: fog, tool_result: sunny }
    answer: { text: it is sunny }
  - when: { contains: fog, tool_result: false }
    answer: { text: let me look }
  - when: { matches: '^\\d+ [a-z]+$' }
    answer: { text: counted }
`;

describe('a rule', () => {
  test("is chosen by the user's last message, and by a tool result after it", () => {
    const { says } = scriptOf(RULES);
    expect(says(user('Hello.'))).toBe('exact');
    expect(says(user('12 boats'))).toBe('counted');
    expect(says(user('12 boats'), { role: 'assistant', content: 'Yes.' }, user('Hello.'))).toBe('exact');
    expect(says(user('any fog?'))).toBe('let me look');
    expect(says(user('any fog?'), result('sunny'))).toBe('it is sunny');
    expect(says(user('old'), result('sunny'), user('any fog?'))).toBe('let me look');
  });

  test('without a condition answers everything that no rule before it does', () => {
    const { says } = scriptOf(`${RULES}  - answer: { text: else }\n`);
    expect([says(user('Hello.')), says(user('Hello'))]).toEqual(['exact', 'else']);
  });

  test('gives its answers in order, and then repeats the last one', () => {
    const { says } = scriptOf('{"rules":[{"answers":[{"text":"one"},{"text":"two"}]}]}');
    expect([1, 2, 3].map(() => says(user('next')))).toEqual(['one', 'two', 'two']);
  });
});

test('a request without a matching rule is told the nearest rule and what differs', () => {
  const { says } = scriptOf(RULES);
  expect(failureOf(() => says(user('any fog?'), result('rain')))).toBe(
    'answer_not_scripted: No rule of answers.yaml answers this request. ' +
      'The nearest is on line 5: the last result of a tool does not contain "sunny".',
  );
});

test('a change of the file applies to the next request and restarts sequences', () => {
  const { says, write } = scriptOf('rules: [{ answers: [{ text: a }, { text: b }] }]');
  expect([says(user('x')), says(user('x'))]).toEqual(['a', 'b']);
  write('rules: [{ answers: [{ text: c }, { text: d }] }]');
  expect([says(user('x')), says(user('x'))]).toEqual(['c', 'd']);
});

test.each([
  ['a broken line', 'rules:\n  - when: { message: "Hi }\n', /, line \d+: /],
  ['a word it does not know', 'rules:\n  - answer:\n      txt: Hi\n', /, line 3: "txt" is not known here/],
  ['a wrong type', 'rules:\n  - answer:\n      text: 5\n', /, line 3: text must be string/],
  ['neither answer nor answers', 'rules:\n\n  - when: { message: Hi }\n', /, line 3: A rule has either/],
  [
    'no regular expression',
    "rules:\n  - when:\n      matches: '('\n    answer: { text: Hi }\n",
    /, line 3: /,
  ],
  [
    'an unknown error',
    'rules:\n  - answer: { error: { code: nope } }\n',
    /, line 2: "nope" is not an error code/,
  ],
  ['no rules', '', /, line 1: /],
])('a file with %s is refused with the line', (_, source, message) => {
  expect(failureOf(scriptOf(source).check)).toMatch(message);
});

test('the example file in the documentation is valid', () => {
  const [, example = ''] = /^```text\n(rules:[^]*?)^```$/m.exec(textOf('docs/testing.md')) ?? [];
  expect(parseScript(example, 'answers.yaml').map(({ answers }) => answers.length)).toEqual([1, 1, 1, 2]);
});

test('a path that depends on the working directory is refused', () => {
  expect(failureOf(() => createScript('answers.yaml').check())).toMatch(/absolute path/);
});
