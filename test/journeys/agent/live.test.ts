import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { binFile } from '../../../src/base/paths.ts';
import { teachBridges } from '../../helpers/agent/bridge-world.ts';
import { perfectReader } from '../../helpers/agent/reader.ts';
import type { CallKind, Script } from '../../helpers/agent/scripted-chat.ts';
import { install } from '../../helpers/daemon/installation.ts';
import { openTerminal } from '../../helpers/terminal/terminal.ts';

const MINUTES = { timeout: 240_000 };
const SIZE = { columns: 100, rows: 30 };

/** A model that waits before one kind of call until the test lets it continue. */
function haltingReader(at: CallKind) {
  let release: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (release = resolve));
  const script: Script = async (call) => {
    if (call.kind === at) await gate;
    return perfectReader(call);
  };
  return { script, goOn: () => release() };
}

async function openAgent(at: CallKind) {
  const installation = install();
  await installation.askd(['up']);
  const reader = haltingReader(at);
  const questions = (await teachBridges(installation, reader.script)).filter(
    ({ kind }) => kind === 'one-hop',
  );
  const open = (args: readonly string[], env: Record<string, string> = {}) =>
    openTerminal([process.execPath, binFile('askd.js'), ...args].map((each) => `"${each}"`).join(' '), SIZE, {
      ...installation.environment,
      ...env,
    });
  return { ...installation, ...reader, questions, open };
}

test('a run is shown as a growing tree, and leaves its steps and its answer behind', MINUTES, async () => {
  const { open, goOn, questions } = await openAgent('answer');
  const [first] = questions;
  const terminal = open(['agent', first?.text ?? ''], { FORCE_HYPERLINK: '1' });
  await terminal.shows(/^· Searching: .+\n[├└] ✓ docs .+ passages? .* ms\n/m);
  await terminal.shows(/✓ ".+" .*\.md:\d+$/m);
  await terminal.shows(
    /^[⠋⠙⠸⠴⠦⠇] Writing the answer\n✓ plan {2}✓ search {2}.*[⠋⠙⠸⠴⠦⠇] write {2}\d facts? {2}\d+\.\d s$/m,
  );
  await terminal.resize({ columns: 60, rows: 24 });
  await terminal.shows(/^[⠋⠙⠸⠴⠦⠇] Writing the answer\n✓ plan/m);
  goOn();
  await terminal.shows(first?.answer ?? '');
  await terminal.shows(/Sources:\n\[1\] The \w+ Bridge\n {4}\S+\.md:\d+\n {4}"The/);
  expect(terminal.text()).not.toMatch(/[⠋⠙⠸⠴⠦⠇]|✓ plan/);
  expect(terminal.text().match(/Writing the answer/g)).toHaveLength(1);
  const [, after = ''] = terminal.output().split('\u001b]8;;file://').slice(-1)[0]?.split('#') ?? [];
  expect(after).toMatch(/^\d+/);
  expect(terminal.output()).toContain('\u001b\\[1]\u001b]8;;\u001b\\');
});

test('several runs are side by side, and one Ctrl-C stops them all', MINUTES, async () => {
  const { askd, open, questions } = await openAgent('answer');
  const texts = questions.slice(0, 3).map(({ text }) => text);
  const terminal = open(['agent', '--runs', '--parallel', '2', ...texts]);
  for (const text of texts.slice(0, 2)) await terminal.shows(`${text}  `);
  await terminal.shows(/(⠋|⠙|⠸|⠴|⠦|⠇) Writing the answer[^]*Writing the answer/);
  await terminal.shows('1 question left to begin');
  terminal.type('\x03');
  await terminal.shows(/∅ .*stopped/);
  const states = async () => {
    const { runs } = (await askd(['agent', 'list', '--json'])).json<{ runs: { status: string }[] }>();
    return runs.map(({ status }) => status);
  };
  await expect.poll(states, { timeout: 60_000 }).toEqual(['cancelled', 'cancelled']);
});

test(
  'the answers of several runs come in the order of their questions, with a document each',
  MINUTES,
  async () => {
    const installation = install();
    const { askd, home } = installation;
    await askd(['up']);
    const questions = (await teachBridges(installation)).filter(({ kind }) => kind === 'one-hop').slice(0, 3);
    const file = join(home, 'questions.txt');
    writeFileSync(file, questions.map(({ text }) => `${text}\n\n`).join(''));
    const { exitCode, stdout, stderr } = await askd(['agent', '--file', file, '--json']);
    expect([exitCode, stderr]).toEqual([0, '']);
    const documents = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { query: string; answer: string });
    expect(documents.map(({ query }) => query)).toEqual(questions.map(({ text }) => text));
    for (const [index, { answer }] of documents.entries()) expect(answer).toContain(questions[index]?.answer);

    const plain = await askd(['agent', '--runs', ...questions.map(({ text }) => text)]);
    const places = questions.map(({ text }) => plain.stdout.indexOf(`${text}\n\n`));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places).not.toContain(-1);
    expect(plain.stderr).toMatch(/^\[1\] Writing the answer$/m);
    expect(plain.stderr).toMatch(/^\[3\] Writing the answer$/m);
  },
);

test.each([
  ['--json', ['--json'], {}],
  ['TERM=dumb', [], { TERM: 'dumb' }],
  ['a screen reader', [], { INK_SCREEN_READER: 'true' }],
])('with %s nothing is painted twice', MINUTES, async (_, flags, env) => {
  const { open, goOn, questions } = await openAgent('facts');
  const terminal = open(['agent', questions[0]?.text ?? '', ...flags], env);
  goOn();
  await terminal.shows('ended with 0');
  for (const sequence of ['[1A', '[2A', '[J']) expect(terminal.output()).not.toContain(`\u001b${sequence}`);
});

test('a run that cannot be shown side by side is reported before anything is asked', MINUTES, async () => {
  const { askd } = install();
  const refused = async (...args: string[]) => {
    const { exitCode, stderr } = await askd(['agent', ...args]);
    expect(exitCode).toBe(2);
    return stderr;
  };
  expect(await refused('--runs', 'a', 'b', '--report', 'a.md')).toContain(
    '--report cannot be used with several questions',
  );
  expect(await refused('--runs', 'a', '--session', 'ses_1')).toContain(
    '--session cannot be used with several questions',
  );
  expect(await refused('a', '--file', 'b')).toContain('either as arguments or with --file');
});
