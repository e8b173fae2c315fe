import { spawnSync } from 'node:child_process';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { samplesOf } from '../../../../../scripts/training/chat/corpus.ts';
import { createDice } from '../../../../../scripts/training/chat/dice.ts';
import { phrase } from '../../../../../scripts/training/chat/phrases.ts';
import { codeOf, codeSkills, NOT_CODED, SNIPPETS } from '../../../../../scripts/training/chat/skills/code.ts';
import type { Snippet } from '../../../../../scripts/training/chat/words/snippets/snippet.ts';

/** Against a snippet that never ends; one that does takes no time, but the machine may delay it for seconds. */
const RUN_MS_MAX = 30_000;
const named = SNIPPETS.map((snippet) => [`${snippet.kind} ${snippet.name}`, snippet] as const);

/** Each example as [actual result, expected result]. */
function runJavaScript({ kind, examples, used, ...snippet }: Snippet): [unknown, unknown][] {
  const source = codeOf({ kind, examples, ...snippet }, 'js', 'work');
  return examples.map(([args, result]) => {
    const printed: unknown[] = [];
    const console = { log: (text: unknown) => printed.push(text) };
    const last = kind === 'function' ? 'work(...args)' : (used?.[0].replace('NAME', 'work') ?? '');
    const come: unknown = runInNewContext(`${source}\n${last}`, { args, console }, { timeout: RUN_MS_MAX });
    return [plain(kind === 'lines' ? printed.join('\n') : come), plain(result)];
  });
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test.each(named)('in JavaScript the %s does what it should', (_, snippet) => {
  const runs = runJavaScript(snippet);
  expect(runs.length).toBeGreaterThan(0);
  for (const [come, wanted] of runs) expect(come).toEqual(wanted);
});

const hasPython = spawnSync('python3', ['--version']).status === 0;

test.skipIf(!hasPython)('in Python each does what it should', { timeout: RUN_MS_MAX }, () => {
  const cases = SNIPPETS.map((snippet) => ({
    kind: snippet.kind,
    source: codeOf(snippet, 'python', 'work'),
    used: snippet.used?.[1].replace('NAME', 'work') ?? '',
    examples: snippet.examples,
  }));
  const program = `
import contextlib, io, json, sys
for case in json.load(sys.stdin):
    space = {}
    for args, wanted in case["examples"]:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(case["source"], space)
        if case["kind"] == "lines": come = printed.getvalue().strip()
        elif case["kind"] == "class": come = eval(case["used"], space)
        else: come = space["work"](*args)
        if come != wanted: print(case["source"], args, come, wanted)
`;
  const { stdout, stderr, status } = spawnSync('python3', ['-c', program], {
    input: JSON.stringify(cases),
    encoding: 'utf8',
    timeout: RUN_MS_MAX,
  });
  expect([status, stderr, stdout]).toEqual([0, '', '']);
});

describe('a snippet', () => {
  test.each(named)(
    '%s is asked for in dozens of ways, some of which are kept for evaluation',
    (_, { goals }) => {
      const said = (isHeld: boolean) => {
        const dice = createDice(5);
        return new Set(Array.from({ length: 500 }, () => phrase({ dice, isHeld }, goals)));
      };
      expect(said(false).size + said(true).size).toBeGreaterThanOrEqual(12);
      expect(said(true).size).toBeGreaterThan(0);
    },
  );

  test('gets the name that the question gives it, in the style of its language', () => {
    const samples = [...samplesOf(codeSkills[0]!, 'held', 400)];
    const asked = samples.flatMap(({ messages, answer }) => {
      const name = /(?:named|called|with the name) (\w+)/.exec(messages[0]?.content ?? '')?.[1];
      return name === undefined ? [] : [{ name, answer }];
    });
    expect(asked.length).toBeGreaterThan(40);
    for (const { name, answer } of asked)
      expect(answer).toMatch(new RegExp(`(function|def|class) ${name}\\b`));
  });
});

test('what is not a small function is not invented, and the command for more is named', () => {
  const samples = [...samplesOf(codeSkills[1]!, 'train', 200)];
  expect(new Set(samples.map(({ answer }) => answer))).toEqual(new Set([NOT_CODED]));
  expect(NOT_CODED).toContain('`askd pull svc-code-v1`');
});
