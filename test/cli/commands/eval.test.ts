import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { binFile } from '../../../src/base/paths.ts';
import type { RunDocument } from '../../../cli/tasks/eval/run-document.ts';
import { openDaemonWith, type ChatDaemon } from '../../helpers/daemon/chat.ts';
import { endlessModel, scriptedModel } from '../../helpers/models/models.ts';
import { announce, runCli, startCli } from '../../helpers/terminal/cli.ts';
import { removeHome, temporaryFolder } from '../../helpers/temporary.ts';

const ANSWERS = `
rules:
  - when: { contains: "Rubric: It is polite." }
    answers: [{ text: '{"reason": "Very polite.", "score": 9}' }]
  - when: { contains: "Rubric: It is long." }
    answer: { text: '{"reason": "Two words.", "score": 2}' }
  - when: { contains: "Rubric: Nonsense." }
    answer: { text: I like it. }
  - when: { message: Hello. }
    answer: { text: Good morning! }
  - when: { message: Sums? }
    answers: [{ text: "43" }, { text: "42" }]
  - when: { message: Weather? }
    answer: { tool_calls: [{ name: get_weather, arguments: { city: Bergen, unit: C } }] }
  - when: { message: Busy? }
    answers: [{ error: { code: queue_full, retry_after: 0 } }, { text: Not any more. }]
  - when: { message: Broken? }
    answer: { error: { code: model_load_failed, message: It is broken. } }
  - when: { message: Hostile? }
    answer: { text: "\\u001b]0;owned\\u0007\\u001b[2J<script>|\\u202e" }
`;

describe('askd eval', { timeout: 120_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'askd-eval-'));
  let daemon: ChatDaemon;
  let count = 0;

  const write = (text: string, name = `cases-${(count += 1)}.yaml`): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  const askd = (...args: string[]) => runCli(['eval', ...args], { home: daemon.home });
  const evaluate = async (cases: string, ...args: string[]) => {
    const { stdout, stderr, code } = await askd(write(cases), '-m', 'scripted', '--json', ...args);
    return { code, stderr, run: JSON.parse(stdout) as RunDocument };
  };

  beforeAll(async () => {
    const models = { always: await scriptedModel('Good evening!'), endless: await endlessModel() };
    daemon = await openDaemonWith(models, { ASKD_SCRIPTED_ANSWERS: write(ANSWERS, 'answers.yaml') });
    announce(daemon);
  });
  afterAll(async () => {
    await daemon.close();
    removeHome(folder);
  });

  test('asks every model, counts passed checks, and exits with 1 if a model does not pass all', async () => {
    const cases = write('cases: [{ name: greets, prompt: Hello., expect: [{ contains: morning }] }]');
    const { stdout, code } = await askd(cases, '-m', 'scripted', '-m', 'always', '--samples', '3');
    expect(stdout).toMatch(/CASE +scripted +always\n/);
    expect(stdout).toMatch(/greets +3\/3 {2}44–100 % +0\/3 {2}0–56 %/);
    expect(stdout).toMatch(/^always +0\/3 +0 % +0–56 % +0 +\d+ ms +\d+ +0\.\d+$/m);
    expect(stdout).toContain(
      'always against scripted: -100.0 points, 0 better and 1 worse of 1 case, p = 1.00',
    );
    expect(stdout).toContain('FAILED  greets (always)\n  contains: "morning" is not in "Good evening!"');
    expect(code).toBe(1);
  });

  test('exits with 0 if as much passes as --at-least requires', async () => {
    const cases = 'cases: [{ name: sums, prompt: Sums?, samples: 2, expect: [{ exact: 43 }] }]';
    const { code, run } = await evaluate(cases, '--at-least', '0.5');
    expect(run.models).toMatchObject([{ passed: 1, failed: 1, errors: 0, rate: 0.5 }]);
    expect(code).toBe(0);
  });

  test('reports the cost, the speed and the answer of each sample', async () => {
    const { run } = await evaluate(
      'cases: [{ name: weather, prompt: Weather?, tools: [{ type: function, function: { name: get_weather } }], expect: [{ tool_call: { name: get_weather, arguments: { city: Bergen } } }] }]',
      '--seed',
      '7',
    );
    const [sample] = run.models[0]?.cases[0]?.samples ?? [];
    expect(sample).toMatchObject({
      outcome: 'passed',
      tool_calls: [{ name: 'get_weather', arguments: { city: 'Bergen', unit: 'C' } }],
      finish_reason: 'tool_calls',
      checks: [{ check: 'tool_call', outcome: 'passed', reason: null }],
    });
    expect(sample?.cost).toBeGreaterThan(0);
    expect(sample?.first_token_ms).toBeGreaterThanOrEqual(0);
    expect(run).toMatchObject({ complete: true, seed: 7, cost: sample?.cost });
  });

  test('lets a model judge by a rubric, and reports an error if the judge gives no verdict', async () => {
    const { code, run } = await evaluate(
      `
judge: scripted
cases:
  - { name: polite, prompt: Hello., expect: [{ judge: { rubric: It is polite. } }] }
  - { name: long, prompt: Hello., expect: [{ judge: { rubric: It is long. } }] }
  - { name: easy, prompt: Hello., expect: [{ judge: { rubric: It is long., at_least: 0.2 } }] }
  - { name: nonsense, prompt: Hello., expect: [{ judge: { rubric: Nonsense. } }] }
`,
      '--at-least',
      '0',
    );
    const outcomes = run.models[0]?.cases.map(({ samples }) => [samples[0]?.outcome, samples[0]?.checks[0]]);
    expect(outcomes).toEqual([
      ['passed', { check: 'judge', outcome: 'passed', reason: 'Very polite.', score: 0.9 }],
      ['failed', { check: 'judge', outcome: 'failed', reason: 'Two words.', score: 0.2 }],
      ['passed', { check: 'judge', outcome: 'passed', reason: 'Two words.', score: 0.2 }],
      ['error', { check: 'judge', outcome: 'error', reason: 'The judge gave no score: "I like it."' }],
    ]);
    expect(code).toBe(1);
  });

  test('retries what the server says may work later, and shows what cannot', async () => {
    const { code, run } = await evaluate(
      'cases: [{ name: busy, prompt: Busy?, expect: [{ contains: Not }] }, { name: broken, prompt: Broken?, expect: [{ contains: x }] }]',
      '--at-least',
      '0',
    );
    expect(run.models[0]).toMatchObject({
      passed: 1,
      errors: 1,
      cases: [{}, { samples: [{ error: { code: 'model_load_failed', message: 'It is broken.' } }] }],
    });
    expect(code).toBe(1);
  });

  test('prints no control sequence of a model, whatever it answers', async () => {
    const cases = write(
      'cases: [{ name: "\\e[31mred", prompt: Hostile?, expect: [{ exact: x }, { judge: { rubric: Nonsense. } }] }]',
    );
    const junit = join(folder, 'hostile.xml');
    const { stdout } = await askd(cases, '-m', 'scripted', '--junit', junit);
    expect(stdout).toContain('FAILED  red (scripted)');
    // eslint-disable-next-line no-control-regex -- these are what must not be there
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(readFileSync(junit, 'utf8')).toContain('&lt;script&gt;');
  });

  test('saves a run, and later shows what is better and what is worse', async () => {
    const cases = write(
      'cases: [{ name: greets, prompt: Hello., expect: [{ contains: morning }] }, { name: ends, prompt: Hello., expect: [{ contains: evening }] }]',
    );
    const saved = join(folder, 'run.json');
    await askd(cases, '-m', 'scripted', '--save', saved);
    const { stdout } = await askd(cases, '-m', 'always', '--compare', saved);
    expect(stdout).toContain(
      `always since ${saved}: +0.0 points, 1 better and 1 worse of 2 cases, p = 1.00: not significant\n  worse   greets\n  better  ends`,
    );
  });

  test('asks only the cases of --filter, and nothing more once --max-cost is spent', async () => {
    const cases = write(
      'cases: [{ name: one, prompt: Hello., expect: [{ contains: o }] }, { name: two, prompt: Hello., expect: [{ contains: o }] }]',
    );
    const some = await askd(cases, '-m', 'scripted', '--filter', 'TW', '--json');
    expect((JSON.parse(some.stdout) as RunDocument).models[0]?.cases.map(({ name }) => name)).toEqual([
      'two',
    ]);
    const few = await askd(cases, '-m', 'scripted', '--max-cost', '0.000000001', '--concurrency', '1');
    expect(few.stdout).toMatch(/one +pass\ntwo +not run/);
    expect([few.code, few.stderr]).toEqual([1, expect.stringContaining('--max-cost')]);
  });

  test('shows what was done when it is interrupted', async () => {
    const cases = write(
      'cases: [{ name: greets, prompt: Hello., expect: [{ contains: o }] }]\noptions: { max_tokens: 100000 }',
    );
    const { exit, written } = startCli(['eval', cases, '-m', 'scripted', '-m', 'endless'], {
      home: daemon.home,
    });
    await expect
      .poll(
        () => daemon.services.pool.status().some(({ artifact, busy }) => artifact === 'endless' && busy > 0),
        {
          timeout: 60_000,
          interval: 20,
        },
      )
      .toBe(true);
    process.emit('SIGINT', 'SIGINT');
    expect(await exit).toBe(130);
    expect(written().stdout).toMatch(/greets +pass +not run/);
  });

  test.each([
    ['a file that is not there', ['/nothing.yaml'], 5, 'cannot be read'],
    ['no file', [], 2, 'no file of cases'],
    ['a model that is not there', ['GOOD', '-m', 'nothing'], 5, 'nothing'],
    ['a judge that is not there', ['JUDGED', '-m', 'scripted', '--judge', 'nothing'], 5, 'nothing'],
    ['a filter without a case', ['GOOD', '--filter', 'gret'], 2, 'No case of'],
    ['an earlier run that is none', ['GOOD', '--compare', 'GOOD'], 2, 'is not a run of askd eval'],
    ['a report into a folder', ['GOOD', '--junit', folder], 2, 'is a folder'],
    ['a typing error', ['BAD'], 2, 'line 1: "promt" is not known here. Did you mean prompt?'],
  ])('refuses %s before anything is asked', async (_what, args, exit, message) => {
    const files: Record<string, string> = {
      GOOD: write('cases: [{ name: greets, prompt: Hello., expect: [{ contains: o }] }]'),
      JUDGED: write('cases: [{ prompt: Hello., expect: [{ judge: { rubric: x } }] }]'),
      BAD: write('cases: [{ promt: Hello., expect: [{ contains: o }] }]'),
    };
    const { code, stderr } = await askd(...args.map((arg) => files[arg] ?? arg));
    expect([code, stderr]).toEqual([exit, expect.stringContaining(message)]);
  });

  test('prints the schema of its files', async () => {
    const { stdout, code } = await askd('--schema');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ title: 'Cases for askd eval', required: ['cases'] });
  });

  test('works as the real program with the models that ship with it', async () => {
    const home = temporaryFolder();
    const env = { ASKD_HOME: home, ASKD_PORT: '0', ASKD_OFFLINE: 'true' };
    const run = (...args: string[]) =>
      execa(process.execPath, [binFile('askd.js'), ...args], { env, reject: false });
    const cases = write(`
options: { temperature: 0, max_tokens: 24 }
cases:
  - name: "{{a}} + {{b}}"
    prompt: What is {{a}} + {{b}}?
    with: [{ a: 12, b: 31, sum: 43 }, { a: 2, b: 5, sum: 7 }]
    expect: [{ contains: "{{sum}}" }, { similar: { to: "{{a}} + {{b}} = {{sum}}", at_least: 0.1 } }]
`);
    try {
      const { stdout, exitCode } = await run('eval', cases, '--json');
      const { models } = JSON.parse(stdout) as RunDocument;
      expect(models).toMatchObject([{ model: 'svc-chat-v1', passed: 2, errors: 0 }]);
      expect(models[0]?.tokens_per_second).toBeGreaterThan(0);
      expect(exitCode).toBe(0);
    } finally {
      await run('down');
    }
  });
});
