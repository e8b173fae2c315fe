import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { binFile } from '../../src/base/paths.ts';
import { install } from '../helpers/daemon/installation.ts';

test('while askd webhooks listen runs in one terminal, the event of a chat in another arrives there, verified', async () => {
  const { askd, environment } = install();
  await askd(['up']);
  const listening = execa(process.execPath, [binFile('askd.js'), 'webhooks', 'listen', '--json'], {
    env: environment,
    reject: false,
  });
  onTestFinished(async () => {
    listening.kill('SIGTERM');
    await listening;
  });
  let printed = '';
  let talk = '';
  listening.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  listening.stderr.on('data', (chunk: Buffer) => (talk += chunk.toString()));
  await expect.poll(() => talk, { timeout: 30_000 }).toContain('Listening');

  expect((await askd(['chat', 'Say hello'])).exitCode).toBe(0);
  await expect.poll(() => printed.split('\n').length, { timeout: 30_000 }).toBe(3);
  const events = printed
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string; verified: boolean; data: Record<string, unknown> });
  expect(events.map(({ type, verified }) => [type, verified]).sort()).toEqual([
    ['chat.completed', true],
    ['chat.started', true],
  ]);
  const [first, second] = events.map(({ data }) => data['request_id']);
  expect(first).toBe(second);
  expect(events.find(({ type }) => type === 'chat.completed')?.data).toMatchObject({
    outcome: 'finished',
    usage: { completion_tokens: expect.any(Number) },
    cost: expect.any(Number),
  });
});
