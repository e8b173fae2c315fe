import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Pull } from '../../../src/api/management/library.ts';
import { announce, runCli, startCli, type CliOptions } from '../../helpers/terminal/cli.ts';
import { startDaemon } from '../../helpers/daemon/daemon.ts';
import { startHub } from '../../helpers/servers/hub.ts';
import { scriptedModel } from '../../helpers/models/models.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

/** Size of the first range, which is enough for the header. */
const HEADER_BYTES = 65_536;
const REPO = 'someone/tiny-GGUF';
const ID = `hf:${REPO}/tiny-Q4_K_M.gguf`;

async function besideHub({ bytesPerSecond, licence }: { bytesPerSecond?: number; licence?: string } = {}) {
  const hub = await startHub(bytesPerSecond === undefined ? {} : { bytesPerSecond });
  const content = readFileSync((await scriptedModel('From the hub.')).path);
  hub.add(REPO, { 'tiny-Q4_K_M.gguf': content }, licence);
  const daemon = await startDaemon({
    ...hub.environment(temporaryFolder()),
    ASKD_DOWNLOAD_PART_BYTES: '16384',
  });
  announce(daemon);
  const askd = (args: string, options: CliOptions = {}) =>
    runCli(args.split(' '), { home: daemon.home, ...options });
  return { hub, daemon, content, askd };
}

test('a pull prints each tenth where there is no terminal, and the result on stdout', async () => {
  const { askd } = await besideHub({ bytesPerSecond: 60_000 });
  const { code, stdout, stderr } = await askd(`pull hf:${REPO} --no-check`);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringMatching(
      /^Pulled and verified hf:.*tiny-Q4_K_M\.gguf \([\d.]+ KB\)\. Next: askd chat -m hf:/,
    ),
  });
  const lines = stderr.trimEnd().split('\n');
  expect(lines[0]).toMatch(/tiny-Q4_K_M\.gguf, [\d.]+ KB, licence apache-2\.0$/);
  expect(lines.slice(1, 4)).toEqual([
    expect.stringMatching(/^ {2}llama, [\d.]+K parameters, .*context 131,072 tokens, for chat/),
    expect.stringContaining('chat template: '),
    expect.stringMatching(/memory [\d.]+ MB with a context of 8,192 tokens: fits this machine$/),
  ]);
  expect(lines.slice(4)).toEqual(
    lines.slice(4).map((): unknown => expect.stringMatching(/^ *\d+0?% {2}[\d.]+ K?B of [\d.]+ KB/)),
  );
});

test('with --json every step is a line, and the last one is the result', async () => {
  const { askd, content } = await besideHub();
  const { code, stdout, stderr } = await askd(`pull hf:${REPO} --json`);
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect([code, stderr.includes('%')]).toEqual([0, false]);
  expect(lines.slice(0, -1).every(({ schema }) => schema === 'pull-progress/1')).toBe(true);
  expect(lines.at(-1)).toMatchObject({
    schema: 'pull/1',
    pull: { state: 'done', bytes_total: content.length, bytes_verified: content.length },
  });
});

test('on a terminal of 80 columns a progress bar is redrawn in place, and is gone at the end', async () => {
  const { askd } = await besideHub({ bytesPerSecond: 60_000 });
  const { stderr } = await askd(`pull hf:${REPO} --no-check`, { terminal: true });
  const frames = stderr.split('\u001b[1A\u001b[0J');
  expect(frames.length).toBeGreaterThan(2);
  const bars = frames.flatMap((frame) => frame.split('\n')).filter((line) => line.includes('['));
  expect(bars.length).toBeGreaterThan(0);
  for (const bar of bars)
    expect([bar, bar.length <= 80]).toEqual([
      expect.stringMatching(/^tiny-Q4_K_M\.gguf {2}\[=* *\] +\d+%/),
      true,
    ]);
  expect(frames.at(-1)).toBe('');
});

test('a download continues when its client leaves, and a second pull joins it', async () => {
  const { hub, daemon, askd, content } = await besideHub({ bytesPerSecond: 30_000 });
  const started = await askd(`pull hf:${REPO} --background`);
  expect(started.stdout).toMatch(/^dl_\w+\n$/);
  expect(started.stderr).toContain(`To cancel it: askd pull --cancel hf:${REPO}`);
  const joined = JSON.parse((await askd(`pull hf:${REPO} --background --json`)).stdout) as { pull: Pull };
  expect(`${joined.pull.id}\n`).toBe(started.stdout);
  expect((await askd('pull --list')).stdout).toMatch(/downloading +\d+%/);
  expect((await askd(`pull hf:${REPO} --no-check`)).code).toBe(0);
  const [, ...parts] = hub.served;
  expect(parts.reduce((sum, { start, end }) => sum + end - start, 0)).toBe(content.length);
  expect((await askd(`pull ${ID}`)).stdout).toContain('is on this machine');
  expect((await daemon.call('GET', `/v1/models/${ID}`)).json()).toMatchObject({ local: { state: 'ready' } });
});

test('a cancelled download leaves nothing behind', async () => {
  const { askd } = await besideHub({ bytesPerSecond: 5000 });
  await askd(`pull hf:${REPO} --background`);
  expect((await askd(`pull --cancel hf:${REPO}`)).stdout).toContain('Cancelled');
  expect((await askd('pull --list')).stdout).toContain('cancelled');
  expect((await askd(`pull --cancel hf:${REPO}`)).code).toBe(5);
});

test('a download is paused and resumed by its name, and pulling it again resumes it too', async () => {
  const { hub, daemon, askd, content } = await besideHub();
  hub.holdAfter(Math.min(HEADER_BYTES, content.length) + 40_000);
  await askd(`pull hf:${REPO} --background`);
  const received = async () =>
    (await daemon.call('GET', '/api/daemon/pulls')).json<{ pulls: Pull[] }>().pulls[0]?.bytes_received ?? 0;
  await expect.poll(received, { timeout: 20_000 }).toBeGreaterThan(16_384);
  const watching = startCli(['pull', `hf:${REPO}`], { home: daemon.home });
  await expect.poll(() => watching.written().stderr, { timeout: 20_000 }).toContain('licence');
  const paused = await askd(`pull --pause hf:${REPO}`);
  expect(paused.stdout).toMatch(/^Paused at [\d.]+ KB of [\d.]+ KB\. To resume it: askd pull --resume hf:/);
  expect(await watching.exit).toBe(1);
  expect(watching.written().stderr).toContain(`fix: askd pull hf:${REPO}`);
  expect((await askd('pull --list')).stdout).toMatch(/paused +\d+%/);
  const resumed = JSON.parse((await askd(`pull --resume ${ID} --json`)).stdout) as Pull & { schema: string };
  expect(resumed).toMatchObject({
    schema: 'pull-resume/1',
    state: expect.stringMatching(/queued|downloading/),
  });
  await askd(`pull --pause hf:${REPO}`);
  hub.holdAfter(Infinity);
  expect((await askd(`pull hf:${REPO}`)).stdout).toContain('Pulled and verified');
  expect(hub.served.at(-1)?.end).toBe(content.length);
  expect(await askd(`pull --pause hf:${REPO}`)).toMatchObject({ code: 5 });
});

test('a licence that restricts use is shown first: a question on a terminal, a flag elsewhere', async () => {
  const { hub, daemon, askd } = await besideHub({ licence: 'llama3.1' });
  const refused = await askd(`pull hf:${REPO} --no-check`);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('"llama3.1"')]);
  const asking = startCli(['pull', `hf:${REPO}`], { home: daemon.home });
  await expect.poll(() => asking.written().stderr, { timeout: 20_000 }).toContain('Do you accept it?');
  expect(hub.served).toEqual([]);
  asking.type('y\r');
  expect(await asking.exit).toBe(0);
  expect((await askd(`pull hf:${REPO} --accept-licence --no-check`)).stdout).toContain('is on this machine');
});

test('a service without a model names the command that brings one, and its size', async () => {
  const { askd } = await besideHub();
  const { stdout } = await askd('show svc-tts-v1');
  expect(stdout).toMatch(/askd pull svc-tts-v1 \(\d+ MB\)/);
  const { stderr, code } = await askd('chat -m svc-vision-v1 hi');
  expect([code, stderr]).toEqual([
    5,
    expect.stringMatching(/not installed \([\d.]+ [GM]B to download\)\.\nfix: askd pull svc-vision-v1\n/),
  ]);
});

test('an alias is another name until it is removed; a model is removed with its files, unless it serves', async () => {
  const { daemon, askd } = await besideHub();
  await askd(`pull hf:${REPO} --no-check`);
  expect((await askd(`cp ${ID} gpt-4o`)).stdout).toBe(`gpt-4o is now another name for ${ID}.\n`);
  const body = { model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] };
  const answer = await daemon.call('POST', '/v1/chat/completions', { token: daemon.key, body });
  expect(answer.json()).toMatchObject({ choices: [{ message: { content: 'From the hub.' } }] });
  expect((await askd('rm gpt-4o')).code).toBe(0);
  await askd(`bind svc-code-v1 ${ID}`);
  const refused = await askd(`rm ${ID}`);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('serves svc-code-v1')]);
  expect((await askd(`rm --force ${ID}`)).stdout).toMatch(/ Freed [\d.]+ KB\.\n$/);
  expect((await askd('list')).stdout).not.toContain(ID);
  expect((await askd('rm starter-chat')).code).toBe(1);
});

test('search and the catalogue are tables, and say when they are offline', async () => {
  const { askd } = await besideHub();
  expect((await askd('search tiny')).stdout).toMatch(/^hf:someone\/tiny-GGUF +1,200 +34 +apache-2\.0$/m);
  const available = await askd('list --available', { terminal: true });
  for (const line of available.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(90);
  expect(available.stdout).toMatch(/qwen3\.5-4b +standard +2\.7 GB +Apache-\S+ +available +no +/);
  expect(available.stdout).toMatch(/sd-turbo +\w+ +~[\d.]+ GB /);
  expect(available.stdout).toMatch(/^Of these \d+, \d+ were never compared with the hub/m);
  const offline = await askd(`pull hf:${REPO}/other.gguf --offline --no-check`);
  expect([offline.code, offline.stderr]).toEqual([7, expect.stringContaining('does not have')]);
});

test('doctor finds a changed file, says how to repair it, and exits with 1', async () => {
  const { askd, daemon } = await besideHub();
  await askd(`pull hf:${REPO} --no-check`);
  expect((await askd('doctor --hashes')).stdout).toContain(`model ${ID}: installed, hashes verified`);
  const { path } = daemon.services.library.findArtifact(ID) ?? { path: '' };
  const content = readFileSync(path);
  content[1000] = (content[1000] ?? 0) ^ 1;
  writeFileSync(path, content);
  expect((await askd('doctor')).code).toBe(0);
  const { code, stdout } = await askd('doctor --hashes');
  expect([code, stdout]).toEqual([1, expect.stringContaining('has changed since it was verified')]);
  expect(stdout).toContain(`fix: askd rm --force ${ID}, then askd pull ${ID}`);
}, 60_000);
