import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { binFile } from '../../../src/base/paths.ts';
import { perfectReader } from '../../helpers/agent/reader.ts';
import type { Script } from '../../helpers/agent/scripted-chat.ts';
import { teachBridges } from '../../helpers/agent/bridge-world.ts';
import { install } from '../../helpers/daemon/installation.ts';
import { openTerminal } from '../../helpers/terminal/terminal.ts';

const ENTER = '\r';
const TAB = '\t';
const ESC = '\u001b';

/** A model that waits before its answer until the test lets it continue. */
function haltingReader() {
  let release: () => void = () => undefined;
  let gate: Promise<void> = Promise.resolve();
  const script: Script = async (call) => {
    if (call.kind === 'answer') await gate;
    return perfectReader(call);
  };
  return {
    script,
    halt: () => void (gate = new Promise((resolve) => (release = resolve))),
    goOn: () => release(),
  };
}

test('a person asks the agent on the dashboard, watches a run of a script, and stops one', async () => {
  const installation = install();
  const { askd, environment } = installation;
  await askd(['up']);
  const reader = haltingReader();
  const questions = await teachBridges(installation, reader.script);
  const [first, second, third] = questions.filter(({ kind }) => kind === 'one-hop');
  const terminal = openTerminal(
    `${process.execPath} ${binFile('askd.js')} tui --screen agent`,
    { columns: 80, rows: 24 },
    environment,
  );
  await terminal.shows('No agent runs yet');

  terminal.type('n');
  await terminal.shows('Ask the agent');
  terminal.type(first?.text ?? '');
  await terminal.shows(first?.text.slice(-20) ?? '');
  for (const shown of ['arrows choose', 'maximum number of cycles']) {
    terminal.type(ENTER);
    await terminal.shows(shown);
  }
  terminal.type(`5${ENTER}`);
  await terminal.shows('✓ answered  research');
  await terminal.shows(/✓ docs +\S.*passages +\d+ ms/);
  await terminal.shows(/Answer\n.*\[1\]/);
  await terminal.shows(first?.answer ?? '');
  await terminal.shows(/Sources\n *\[1\] The \w+ Bridge +\/.*\.md/);
  terminal.type(ESC);
  await terminal.shows(/▸ ✓ answered/);

  reader.halt();
  const elsewhere = askd(['agent', second?.text ?? '']);
  await terminal.shows('◌ running');
  terminal.type('g');
  await terminal.shows(/▸ ◌ running/);
  await terminal.shows('Writing the answer');
  await terminal.resize({ columns: 120, rows: 40 });
  await terminal.shows(/│ \S Writing the answer/);
  reader.goOn();
  await terminal.shows(/▸ ✓ answered/);
  await terminal.shows(second?.answer ?? '');
  expect((await elsewhere).exitCode).toBe(0);

  reader.halt();
  terminal.type(`:ask ${third?.text}${ENTER}`);
  await terminal.shows(/running {2}research/);
  await terminal.shows('Writing the answer');
  terminal.type('q');
  await terminal.shows('would be stopped');
  terminal.type('n');
  await terminal.shows('Writing the answer');
  terminal.type('c');
  await terminal.shows('Stop a run');
  terminal.type('y');
  await terminal.shows('∅ cancelled');
  reader.goOn();

  terminal.type('@');
  await terminal.shows(/askd agent cancel run_/);
  terminal.type(ESC);
  await terminal.shows('∅ cancelled');
  terminal.type('q');
  await terminal.shows('ended with 0');
  const { runs } = (await askd(['agent', 'list', '--json'])).json<{ runs: { status: string }[] }>();
  expect(runs.map(({ status }) => status)).toEqual(['cancelled', 'finished', 'finished']);
});

test('two runs at once are side by side: one is stopped, asked again and answered, the other reported', async () => {
  const installation = install();
  const { askd, environment, home } = installation;
  await askd(['up']);
  const reader = haltingReader();
  const questions = await teachBridges(installation, reader.script);
  const [first, second] = questions.filter(({ kind }) => kind === 'one-hop');
  const folder = join(home, 'reports');
  await mkdir(folder);
  const terminal = openTerminal(
    `cd ${folder} && ${process.execPath} ${binFile('askd.js')} tui --screen agent`,
    { columns: 120, rows: 40 },
    environment,
  );
  await terminal.shows('No agent runs yet');

  reader.halt();
  terminal.type(`:ask ${first?.text}${ENTER}`);
  await terminal.shows(/⠋|⠙|⠸|⠴|⠦|⠇/);
  await terminal.shows('Writing the answer');
  const elsewhere = askd(['agent', second?.text ?? '']);
  await terminal.shows(/Writing the answer.*│.*Writing the answer/);
  expect(terminal.text()).toMatch(/running .*│.* running /);
  expect(terminal.text()).toMatch(/docs .*│.* docs /);
  const startOf = (question: { text: string } | undefined) => question?.text.slice(0, 16) ?? '';
  await terminal.shows(`▸ ${startOf(first)}`);

  terminal.type('c');
  await terminal.shows('Stop a run');
  terminal.type('y');
  await terminal.shows(/∅ cancelled .*│.* running /);
  terminal.type('r');
  await terminal.shows(/running .*│.* running /);
  await terminal.shows(/Writing the answer.*│.*Writing the answer/);

  await terminal.resize({ columns: 80, rows: 24 });
  await terminal.shows(/\[1 \S .*\] ?2 /);
  await terminal.resize({ columns: 120, rows: 40 });
  reader.goOn();
  await terminal.shows(/✓ answered .*│ ✓ answered /);
  expect((await elsewhere).exitCode).toBe(0);

  terminal.type(TAB);
  await terminal.shows(`▸ ${startOf(second)}`);
  terminal.type('x');
  await terminal.shows('Report: ');
  terminal.type('\u001b[C');
  await terminal.shows('markdown');
  terminal.type(ENTER);
  await terminal.shows(/Saved in .*\.md/);
  const [file = ''] = await readdir(folder);
  const report = await readFile(join(folder, file), 'utf8');
  expect(report).toContain(second?.answer);
  expect(report).toContain('## Sources');
  terminal.type(ESC);
  await terminal.shows('✓ answered');
  terminal.type('q');
  await terminal.shows('ended with 0');
});
