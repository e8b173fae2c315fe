import { describe, expect, test } from 'vitest';
import { readEvalFile } from '../../../../../cli/tasks/eval/file/read-file.ts';

const read = (source: string, path = 'cases.yaml') => readEvalFile(source, path);
const mistakeOf = (source: string, path?: string): string => {
  try {
    read(source, path);
    return 'no mistake';
  } catch (error) {
    return (error as Error).message;
  }
};

test('a case has the defaults of the file unless it sets its own', () => {
  const { cases, models } = read(`
models: [small]
system: Be brief.
options: { temperature: 0, max_tokens: 8 }
samples: 3
cases:
  - prompt: Hello.
    expect: [{ contains: hi }]
  - name: own
    system: Be long.
    messages: [{ role: user, content: A }, { role: assistant, content: B }, { role: user, content: C }]
    options: { max_tokens: 99 }
    samples: 1
    expect: [{ exact: [yes, 1] }]
`);
  expect(models).toEqual(['small']);
  expect(cases).toMatchObject([
    {
      name: 'Hello.',
      samples: 3,
      request: { temperature: 0, max_tokens: 8 },
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hello.' },
      ],
    },
    {
      name: 'own',
      samples: 1,
      request: { temperature: 0, max_tokens: 99 },
      messages: [{ content: 'Be long.' }, { content: 'A' }, { content: 'B' }, { content: 'C' }],
      checks: [{ kind: 'exact', texts: ['yes', '1'] }],
    },
  ]);
});

test('a table makes a case from each row, and numbers stay numbers in arguments', () => {
  const { cases } = read(`
variables: { unit: apples }
cases:
  - name: sums
    prompt: "{{a}} + {{ b }} {{unit}}?"
    with: [{ a: 1, b: 2, sum: 3 }, { a: 4, b: 5, sum: 9 }]
    expect:
      - contains: "{{sum}}"
      - tool_call: { name: add, arguments: { a: "{{a}}", text: "{{a}}!" } }
`);
  expect(cases.map(({ name, messages }) => [name, messages[0]?.content])).toEqual([
    ['sums #1', '1 + 2 apples?'],
    ['sums #2', '4 + 5 apples?'],
  ]);
  expect(cases[1]?.checks).toMatchObject([
    { kind: 'contains', texts: ['9'] },
    { kind: 'tool_call', arguments: { a: 4, text: '4!' } },
  ]);
});

test('a name with variables tells the rows apart', () => {
  const { cases } = read(`
cases:
  - { name: "{{a}} in words", prompt: "Say {{a}}", with: [{ a: 1 }, { a: 2 }], expect: [{ regex: . }] }
`);
  expect(cases.map(({ name }) => name)).toEqual(['1 in words', '2 in words']);
});

test('without variables, braces are braces', () => {
  const { cases } = read('cases: [{ prompt: "What is {{x}} in Jinja?", expect: [{ contains: variable }] }]');
  expect(cases[0]?.messages[0]?.content).toBe('What is {{x}} in Jinja?');
});

test('JSON lines are the same, with defaults in the first', () => {
  const source = [
    '{"defaults": {"system": "Be brief.", "samples": 2}}',
    '',
    '{"prompt": "Hello.", "expect": [{"contains": "hi"}]}',
  ].join('\n');
  const { cases } = read(source, 'cases.jsonl');
  expect(cases).toMatchObject([{ name: 'Hello.', samples: 2, messages: [{ role: 'system' }, {}] }]);
});

describe('a mistake is reported with its line', () => {
  const one = (expectation: string, rest = '') =>
    `cases:\n  - prompt: Hi\n${rest}    expect:\n      - ${expectation}\n`;

  test.each([
    ['an unknown check', one('contians: x'), 'line 4: "contians" is not known here. Did you mean contains?'],
    [
      'an unknown field',
      one('contains: x', '    promt: x\n'),
      'line 3: "promt" is not known here. Did you mean prompt?',
    ],
    [
      'an unknown parameter',
      one('contains: x', '    options: { temprature: 1 }\n'),
      'Did you mean temperature?',
    ],
    [
      'a parameter out of range',
      one('contains: x', '    options:\n      temperature: 9\n'),
      'line 4: "temperature" must be <= 2',
    ],
    ['a broken pattern', one('regex: "(a"'), 'line 4: Invalid regular expression'],
    ['a broken schema', one('json_schema: { type: strng }'), 'line 4: '],
    ['a check of nothing', one('ignore_case: true'), 'line 4: A check is missing here'],
    [
      'a switch that does nothing',
      one('{ json_schema: {}, ignore_case: true }'),
      'line 4: ignore_case belongs to',
    ],
    ['an empty text', one('contains: ""'), 'line 4: contains needs a text that is not empty'],
    ['a share over 1', one('judge: { rubric: x, at_least: 7 }'), 'line 4: "at_least" must be <= 1'],
    [
      'a role that does not exist',
      'cases:\n  - messages:\n      - role: usr\n        content: x\n    expect: [{ contains: x }]',
      'line 3: "role" must be one of',
    ],
    ['a case without checks', 'cases:\n  - prompt: Hi\n', 'line 2: "expect" is missing here.'],
    [
      'two questions',
      one('contains: x', '    messages: [{ role: user, content: x }]\n'),
      'line 2: A case has either',
    ],
    [
      'two of one name',
      'cases:\n  - { prompt: a, expect: [{ contains: x }] }\n  - { prompt: a, expect: [{ contains: x }] }',
      'line 3: The name "a"',
    ],
    [
      'an unknown variable',
      'cases:\n  - prompt: "{{tpic}}"\n    with:\n      - { topic: a }\n    expect: [{ contains: x }]',
      'line 4: There is no variable "tpic". Did you mean topic?',
    ],
    ['broken YAML', 'cases:\n  - prompt: "a\n', 'line 3: Missing closing'],
    ['no cases', 'cases: []', 'line 1: "cases" must NOT have fewer than 1 items'],
  ])('%s', (_what, source, message) => {
    expect(mistakeOf(source)).toContain(message);
  });

  test('in JSON lines', () => {
    const good = '{"prompt": "a", "expect": [{"contains": "x"}]}';
    expect(mistakeOf(`${good}\n\n{"prompt": "b", "expct": []}`, 'a.jsonl')).toContain(
      'a.jsonl, line 3: "expct"',
    );
    expect(mistakeOf(`${good}\nno`, 'a.jsonl')).toContain('line 2: This is not a JSON object');
    expect(mistakeOf(`{"defaults": {"smples": 1}}\n${good}`, 'a.jsonl')).toContain('line 1: "smples"');
  });
});
