import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually, openDaemonWith, type ChatDaemon } from '../../helpers/daemon/chat.ts';
import { randomModel } from '../../helpers/models/models.ts';
import { announce, runCli, startCli } from '../../helpers/terminal/cli.ts';

let daemon: ChatDaemon;
let home: string;
beforeAll(async () => {
  daemon = await openDaemonWith({ m: { path: (await randomModel('llama')).path } });
  announce(daemon);
  ({ home } = daemon);
  await daemon.chat({ max_tokens: 10, seed: 1 });
});
afterAll(() => daemon.close());

test('one sample shows what runs, what it uses and which models are loaded', async () => {
  const { code, stdout } = await runCli(['top', '--once'], { home });
  expect(code).toBe(0);
  for (const label of ['requests', 'first token', 'each token', 'prompt cache', 'event loop lag', 'credits'])
    expect(stdout).toContain(label);
  expect(stdout).toMatch(/\nMODEL +MEMORY +SLOTS +WAITING +REQUESTS +GENERATED\nm +/);
});

test('with --json it is one document', async () => {
  const { stdout } = await runCli(['top', '--once', '--json'], { home });
  expect(JSON.parse(stdout)).toMatchObject({
    schema: 'top/1',
    requests_per_second: null,
    models: [{ model: 'm', requests: 1, generated_tokens: 10, running: 0 }],
    time_to_first_token_seconds: { p50: expect.any(Number) as number },
  });
});

test('on a terminal it redraws each second, and q ends it', async () => {
  const { exit, type, modes, screen } = startCli(['top'], { home });
  await eventually(() => screen().match(/generated tokens +[\d.]+ \/s/)).not.toBeNull();
  type('x');
  type('q');
  expect(await exit).toBe(0);
  expect(modes).toEqual([true, false]);
  expect(screen().startsWith('\u001b[?1049h')).toBe(true);
  expect(screen().endsWith('\u001b[?1049l')).toBe(true);
});
