import { readFileSync, rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { binFile } from '../../../../src/base/paths.ts';
import { startDaemon } from '../../../helpers/daemon/daemon.ts';
import { scriptedModel } from '../../../helpers/models/models.ts';
import { startHub } from '../../../helpers/servers/hub.ts';
import { temporaryFolder } from '../../../helpers/temporary.ts';
import { announce, runCli, startCli } from '../../../helpers/terminal/cli.ts';
import { openTerminal } from '../../../helpers/terminal/terminal.ts';

const REPO = 'someone/tiny-GGUF';
const ID = `hf:${REPO}/tiny-Q4_K_M.gguf`;
const QUESTION = /Pull it now\? [\d.]+ KB \[Y\/n\]/;
const CHAT = ['chat', '-m', ID, '--no-stream', 'Where are you from?'];

/** A model from the hub whose file the owner has deleted. */
async function withLostModel() {
  const hub = await startHub();
  hub.add(REPO, { 'tiny-Q4_K_M.gguf': readFileSync((await scriptedModel('From the hub.')).path) });
  const cache = temporaryFolder();
  const daemon = await startDaemon(hub.environment(cache));
  announce(daemon);
  const { home } = daemon;
  expect(await runCli(['pull', `hf:${REPO}`, '--no-check'], { home })).toMatchObject({ code: 0 });
  rmSync(cache, { recursive: true });
  const served = hub.served.length;
  return { home, hasDownloaded: () => hub.served.length > served };
}

async function withoutHub() {
  const daemon = await startDaemon({
    HF_ENDPOINT: 'http://127.0.0.1:1',
    HF_HOME: temporaryFolder(),
    ASKD_DOWNLOAD_RETRY_MS: '5',
  });
  announce(daemon);
  return daemon;
}

const shownBy = (home: string, line: string, columns = 80) =>
  openTerminal(
    `${process.execPath} ${binFile('askd.js')} ${line}`,
    { columns, rows: 24 },
    { ASKD_HOME: home, NO_COLOR: '1' },
  );

describe('a command that needs a missing model', () => {
  test(
    'offers it on a terminal with its size, pulls it on Enter and continues',
    { timeout: 120_000 },
    async () => {
      const { home, hasDownloaded } = await withLostModel();
      const command = `${process.execPath} ${binFile('askd.js')} chat -m ${ID} --no-stream Hello`;
      const terminal = openTerminal(command, { columns: 80, rows: 24 }, { ASKD_HOME: home, NO_COLOR: '1' });
      await terminal.shows(QUESTION);
      expect(hasDownloaded()).toBe(false);
      terminal.type('\r');
      await terminal.shows(/licence apache-2\.0[^]*From the hub\.[^]*ended with 0/);
      expect(hasDownloaded()).toBe(true);
    },
  );

  test.each([
    ['n', 'n\r'],
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
  ])('fails as usual after %s', async (_name, keys) => {
    const { home, hasDownloaded } = await withLostModel();
    const cli = startCli(CHAT, { home });
    await expect.poll(() => cli.written().stderr, { timeout: 20_000 }).toMatch(QUESTION);
    cli.type(keys);
    expect(await cli.exit).toBe(5);
    expect(cli.written().stderr).toMatch(/\n.*error:.* The model `hf:.*\nfix: askd pull hf:/);
    expect(hasDownloaded()).toBe(false);
  });

  test('says what to do when the hub cannot be reached', { timeout: 120_000 }, async () => {
    const daemon = await withoutHub();
    const cli = startCli(CHAT, { home: daemon.home });
    expect(await cli.exit).toBe(7);
    expect(cli.written().stderr).toMatch(/is not installed and cannot be downloaded now\. The model hub/);
    expect(cli.written().stderr).toMatch(/or choose a model that is here\.\nfix: askd models\n$/);
  });

  test('says so for /model too, and the chat continues with its model', { timeout: 120_000 }, async () => {
    const { home, services } = await withoutHub();
    await services.library.importArtifact({
      id: 'm',
      path: (await scriptedModel('From here.')).path,
      mode: 'link',
    });
    const terminal = shownBy(home, 'chat -m m');
    await terminal.shows(/^>>>/m);
    terminal.type(`/model ${ID}\r`);
    await terminal.shows(
      /not\s+installed\s+and\s+cannot\s+be[^]*is\s+unavailable[^]*askd models[^]*The model is still m\./,
    );
    terminal.type('Hello\r');
    await terminal.shows('From here.');
  });

  test('is not offered only to be unloaded', async () => {
    const { home, hasDownloaded } = await withLostModel();
    const { code, stderr } = await runCli(['stop', 'hf:someone/other-GGUF'], { home, terminal: true });
    expect([code, stderr]).toEqual([
      5,
      expect.stringMatching(/`hf:[^`]*` is not installed, so it is not loaded\.\nfix: askd ps\n/),
    ]);
    expect(hasDownloaded()).toBe(false);
  });

  test('asks nobody without a terminal, with --json or --no-input, and in CI', async () => {
    const { home, hasDownloaded } = await withLostModel();
    const answers = await Promise.all([
      runCli(CHAT, { home }),
      runCli([...CHAT, '--json'], { home, terminal: true }),
      runCli([...CHAT, '--no-input'], { home, terminal: true }),
      runCli(CHAT, { home, terminal: true, env: { CI: 'true' } }),
    ]);
    for (const { code, stderr } of answers)
      expect([code, stderr]).toEqual([5, expect.stringMatching(/\nfix: askd pull hf:someone/)]);
    expect(answers.map(({ stderr }) => stderr.includes('Pull it now'))).toEqual([false, false, false, false]);
    expect(hasDownloaded()).toBe(false);
  });

  test('asks with the size from the catalogue for a service that has no model', async () => {
    const { home } = await withLostModel();
    const cli = startCli(['chat', '-m', 'svc-vision-v1', 'hi'], { home });
    await expect
      .poll(() => cli.written().stderr, { timeout: 20_000 })
      .toMatch(/Pull it now\? [\d.]+ [MG]B \[Y\/n\]/);
    cli.type('n\r');
    expect(await cli.exit).toBe(5);
  });
});

describe('a model of the hub that was never pulled', () => {
  async function withHub() {
    const hub = await startHub();
    hub.add(REPO, { 'tiny-Q4_K_M.gguf': readFileSync((await scriptedModel('From the hub.')).path) });
    const daemon = await startDaemon(hub.environment(temporaryFolder()));
    announce(daemon);
    return daemon;
  }
  test('is offered with its size, and answers by the name that was given', { timeout: 120_000 }, async () => {
    const { home } = await withHub();
    const terminal = shownBy(home, `chat -m hf:${REPO} --no-stream Hello`);
    await terminal.shows(QUESTION);
    terminal.type('\r');
    await terminal.shows(/From the hub\.[^]*ended with 0/);
  });

  test('is offered before a conversation begins', { timeout: 120_000 }, async () => {
    const { home } = await withHub();
    const terminal = shownBy(home, `chat -m hf:${REPO}`);
    await terminal.shows(QUESTION);
    terminal.type('\r');
    await terminal.shows(/^>>>/m);
    terminal.type('Hello\r');
    await terminal.shows('From the hub.');
  });

  test('is offered by /model in lines that fit the screen', { timeout: 120_000 }, async () => {
    const { home, services } = await withHub();
    const { path } = await scriptedModel('From here.');
    await services.library.importArtifact({ id: 'm', path, mode: 'link' });
    const terminal = shownBy(home, 'chat -m m', 40);
    await terminal.shows(/^>>>/m);
    terminal.type(`/model hf:${REPO}\r`);
    await terminal.shows(/^hf:someone\/tiny-GGUF is not installed\.\nPull it now\? [\d.]+ KB \[Y\/n\]$/m);
    terminal.type('n\r');
    await terminal.shows(
      /^Pull it now\? [\d.]+ KB \[Y\/n\] n\nThe model is still m\. To pull the other\none:/m,
    );
  });

  test('is offered by /model, and the chat continues', { timeout: 120_000 }, async () => {
    const { home, services } = await withHub();
    await services.library.importArtifact({
      id: 'm',
      path: (await scriptedModel('From here.')).path,
      mode: 'link',
    });
    const terminal = shownBy(home, 'chat -m m');
    await terminal.shows(/^>>>/m);
    terminal.type('/model nosuchmodel\r');
    await terminal.shows(/does not exist[^]*The model is still m\./);
    terminal.type(`/model hf:${REPO}\r`);
    await terminal.shows(QUESTION);
    terminal.type('\u001b');
    await terminal.shows('To pull the other one: askd pull hf:');
    terminal.type(`/model hf:${REPO}\r`);
    await terminal.shows(/Pull it now\?[^]*Pull it now\?/);
    terminal.type('\r');
    await terminal.shows(/while the\s+chat continues with m/);
    terminal.type('Hello\r');
    await terminal.shows('From here.');
    await terminal.shows('is ready');
    terminal.type(`/model hf:${REPO}\r`);
    await terminal.shows('Switched to hf:');
    terminal.type('Hello\r');
    await terminal.shows('From the hub.');
  });

  test('is reported with its command in a pipe, with and without a prompt', async () => {
    const { home } = await withHub();
    const { code, stderr } = await runCli(['chat', '-m', `hf:${REPO}`, 'Hello'], { home });
    expect([code, stderr]).toEqual([5, expect.stringMatching(/\nfix: askd pull hf:someone\/tiny-GGUF\n/)]);
    for (const command of [['show'], ['bind', 'svc-chat-v1'], ['check']]) {
      const shown = await runCli([...command, `hf:${REPO}`], { home });
      expect(shown.stderr, command.join(' ')).toContain(`fix: askd pull hf:${REPO}`);
    }
    const { stderr: checked } = await runCli(['check', 'svc-vision-v1'], { home });
    expect(checked).toContain('fix: askd pull svc-vision-v1');
  });
});
