import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { binFile } from '../../../src/base/paths.ts';
import { teachBridges } from '../../helpers/agent/bridge-world.ts';
import { perfectReader } from '../../helpers/agent/reader.ts';
import type { Script } from '../../helpers/agent/scripted-chat.ts';
import { install } from '../../helpers/daemon/installation.ts';
import { openTerminal } from '../../helpers/terminal/terminal.ts';

const MINUTES = { timeout: 240_000 };
const SIZE = { columns: 100, rows: 60 };

/** A model that can be stopped before it answers, and continues when the test lets it. */
function pausableReader() {
  let isPaused = false;
  let release: () => void = () => undefined;
  let gate = Promise.resolve();
  const script: Script = async (call) => {
    if (call.kind === 'answer' && isPaused) await gate;
    return perfectReader(call);
  };
  return {
    script,
    pause: () => {
      isPaused = true;
      gate = new Promise((resolve) => (release = resolve));
    },
    goOn: () => {
      isPaused = false;
      release();
    },
  };
}

async function besideBridges() {
  const installation = install();
  const { askd, home, environment } = installation;
  await askd(['up']);
  const reader = pausableReader();
  const [question] = (await teachBridges(installation, reader.script)).filter(
    ({ kind }) => kind === 'one-hop',
  );
  const folder = join(home, 'bridges');
  const watch = (...more: string[]) => {
    const words = [binFile('askd.js'), 'agent', question?.text ?? '', '--watch', folder, ...more];
    return openTerminal([process.execPath, ...words].map((each) => `"${each}"`).join(' '), SIZE, environment);
  };
  /** Says that the bridge crosses another river, wherever that is stated. */
  const rename = (before: string, after: string) => {
    for (const name of readdirSync(folder).filter((each) => each.endsWith('bridge.md'))) {
      const path = join(folder, name);
      const text = readFileSync(path, 'utf8');
      if (text.includes(before)) writeFileSync(path, text.replaceAll(before, after));
    }
  };
  const runs = async () => (await askd(['agent', 'list', '--json'])).json<{ runs: unknown[] }>().runs.length;
  return { ...installation, ...reader, folder, river: question?.answer ?? '', watch, rename, runs };
}

test('a question is asked again when files change, and each answer says what is new', MINUTES, async () => {
  const { folder, home, river, watch, rename, runs } = await besideBridges();
  const report = join(home, 'river.md');
  const terminal = watch('--report', report);
  await terminal.shows(new RegExp(`${river}[^]*Watching \\S+ for changes\\. Ctrl-C ends it\\.`));
  expect(readFileSync(report, 'utf8')).toContain(river);
  expect(readFileSync(report, 'utf8')).not.toContain('Since the last run');

  // First what the index ignores, then what it does not.
  mkdirSync(join(folder, 'node_modules'));
  writeFileSync(join(folder, 'node_modules', 'river.md'), `It crosses the Elsewhere.`);
  writeFileSync(join(folder, '.draft.md'), 'It crosses the Elsewhere.');
  rename(river, 'Newwater');
  await terminal.shows(/\.md changed[^]*Newwater[^]*The answer has changed\.[^]*Watching/);
  expect(terminal.text()).not.toMatch(/node_modules|draft/);
  expect(readFileSync(report, 'utf8')).toMatch(/Newwater[^]*## Since the last run\n\n- .*\.md changed/);

  writeFileSync(join(folder, 'shopping.md'), '# Shopping\n\nBread, butter and a lamp.\n');
  await terminal.shows(/shopping\.md added[^]*The answer is the same\.[^]*Watching/);
  expect(await runs()).toBe(3);
  terminal.type('\x03');
  await terminal.shows('ended with 130');
});

test('one run at a time: a change during a run starts the next one after it', MINUTES, async () => {
  const { river, watch, rename, runs, pause, goOn } = await besideBridges();
  const terminal = watch();
  await terminal.shows(/Watching \S+ for changes/);
  pause();
  rename(river, 'Newwater');
  await terminal.shows(/[⠋⠙⠸⠴⠦⠇] Writing the answer/);
  rename('Newwater', 'Oldwater');
  rename('Oldwater', 'Lastwater');
  expect(await runs()).toBe(2);
  goOn();
  await terminal.shows(/Lastwater[^]*The answer has changed\.[^]*Watching/);
  expect(await runs()).toBe(3);
  terminal.type('\x03');
  await terminal.shows('ended with 130');
});

test('a path that cannot be watched is reported before anything is asked', MINUTES, async () => {
  const { askd, home } = install();
  const refused = async (...args: string[]) => {
    const { exitCode, stderr } = await askd(['agent', ...args]);
    return [exitCode, stderr] as const;
  };
  const folder = join(home, 'none');
  expect(await refused('a', '--watch', folder)).toEqual([
    5,
    expect.stringContaining(`There is no folder ${folder}.`),
  ]);
  expect(await refused('--runs', 'a', 'b', '--watch', home)).toEqual([
    2,
    expect.stringContaining('--watch cannot be used with several questions'),
  ]);
  expect(await refused('a', '--watch', home, '--session', 'ses_1')).toEqual([
    2,
    expect.stringContaining('--session cannot be used with --watch'),
  ]);
  expect(await refused('a', '--watch', home, '--host', 'http://127.0.0.1:1')).toEqual([
    2,
    expect.stringContaining('--watch reads a folder of this machine'),
  ]);
  expect(existsSync(folder)).toBe(false);
});
