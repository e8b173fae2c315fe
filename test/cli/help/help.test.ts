import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../../../cli/commands.ts';
import { EXIT_CODES } from '../../../cli/exit-codes.ts';
import { HELP_TOPICS } from '../../../cli/help/topics.ts';
import { homePaths } from '../../../src/base/paths.ts';
import { runCli } from '../../helpers/terminal/cli.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

describe.each(COMMANDS.map(({ name }) => name))('askd %s', (name) => {
  test('has help with examples of itself', async () => {
    const { code, stdout, stderr } = await runCli([...name.split(' '), '--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`^Usage: askd ${name}[| ]`));
    expect(stdout).toMatch(/Examples:\n {2}\$ .*askd/);
    expect(stdout).toContain('--json');
    expect(stdout).not.toContain('\u001b');
    expect(await runCli(['help', ...name.split(' ')])).toMatchObject({ code: 0, stdout });
  });

  test('rejects an unknown flag', async () => {
    const { code, stdout, stderr } = await runCli([...name.split(' '), '--nonsense']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^error: .*\n(\(.*\)\n)?fix: askd .* --help\n$/);
  });
});

test('every line of help fits a terminal of 80 columns', async () => {
  const lines: string[] = [];
  for (const name of ['', ...COMMANDS.map((command) => command.name)]) {
    const { stdout } = await runCli([...name.split(' ').filter(Boolean), '--help']);
    lines.push(...stdout.split('\n'));
  }
  for (const line of lines) {
    if (!line.startsWith('  $ ')) expect(line.length, line).toBeLessThanOrEqual(80);
  }
});

test('askd alone prints help where askd is already in use, and is a usage error in a script', async () => {
  const home = temporaryFolder();
  writeFileSync(homePaths(home).database, '');
  expect(await runCli([], { terminal: true, home })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Usage: askd') as string,
  });
  expect(await runCli([])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('Usage: askd') as string,
  });
  expect(await runCli(['keys'])).toMatchObject({ code: 2, stdout: '' });
});

test('a typing mistake gets a suggestion', async () => {
  const { code, stderr } = await runCli(['modells']);
  expect(code).toBe(2);
  expect(stderr).toBe("error: unknown command 'modells'\n(Did you mean models?)\nfix: askd --help\n");
});

test('help exit-codes explains every number', async () => {
  const { stdout } = await runCli(['help', 'exit-codes']);
  for (const [code, meaning] of Object.entries(EXIT_CODES))
    expect(stdout).toMatch(new RegExp(`^${code} +${meaning.replace(/[()]/g, '\\$&')}$`, 'm'));
});

test.each([['--version'], ['-V'], ['version']])('askd %s is the version alone', async (argument) => {
  expect(await runCli([argument])).toEqual({ code: 0, stdout: '0.1.0\n', stderr: '' });
});

test('flags work before and after the command, and a command may give one its own meaning', async () => {
  expect((await runCli(['--json', 'version'])).stdout).toBe((await runCli(['version', '--json'])).stdout);
  const { stdout } = await runCli(['serve', '--help']);
  expect(stdout.match(/--host/g)).toHaveLength(2);
});

test('every page of help fits 80 columns', async () => {
  for (const topic of Object.keys(HELP_TOPICS).filter((name) => name !== 'man')) {
    const { code, stdout } = await runCli(['help', topic]);
    expect(code).toBe(0);
    for (const line of stdout.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80);
  }
});

test('the manual has every command, flag, exit code and variable, and no text in it is taken for a roff request', async () => {
  const { stdout } = await runCli(['help', 'man']);
  const text = stdout.replaceAll('\\-', '-');
  for (const { name } of COMMANDS) expect(text).toContain(`.SS "askd ${name}`);
  for (const flag of ['--no-autostart', '--show-prompt', '--max-cycles <count>'])
    expect(text).toContain(`.B ${flag}`);
  for (const meaning of Object.values(EXIT_CODES)) expect(text).toContain(meaning);
  for (const word of ['ASKD_HOME', 'NO_COLOR', 'chat-history']) expect(text).toContain(`.B ${word}`);
  const requests = stdout.match(/^[.'].*$/gm) ?? [];
  for (const line of requests) expect(line).toMatch(/^\.(?:TH|SH|SS|PP|TP|B|RI|RS|RE|nf|fi)\b/);
});
