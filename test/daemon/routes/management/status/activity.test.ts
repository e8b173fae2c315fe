import { expect, test } from 'vitest';
import type { ActivitySample } from '../../../../../src/api/management/activity.ts';
import { openDaemonWith } from '../../../../helpers/daemon/chat.ts';
import { randomModel } from '../../../../helpers/models/models.ts';

test('the activity has the tokens, the credits and the time to the first token of a chat, by model', async () => {
  const daemon = await openDaemonWith({ m: { path: (await randomModel('llama')).path } });
  const reply = await daemon.chat({ max_tokens: 12, seed: 1, temperature: 0 });
  const { usage } = reply.json<{ usage: { completion_tokens: number } }>();
  const { samples } = (await daemon.call('GET', '/api/daemon/activity')).json<{
    samples: ActivitySample[];
  }>();
  const generated = samples.flatMap(({ models }) => models);
  expect(generated.reduce((sum, { generated_tokens: tokens }) => sum + tokens, 0)).toBe(
    usage.completion_tokens,
  );
  expect(new Set(generated.map(({ artifact }) => artifact))).toEqual(new Set(['m']));
  const sum = (of: (sample: ActivitySample) => number) =>
    samples.reduce((total, each) => total + of(each), 0);
  expect(sum((each) => each.requests)).toBe(1);
  expect(sum((each) => each.generated_tokens)).toBe(usage.completion_tokens);
  expect(sum((each) => each.spent)).toBeCloseTo(daemon.services.metered.totals().paidN / 1e9);
  expect(sum((each) => each.first_token_seconds ?? 0)).toBeGreaterThan(0);
  expect(samples.at(-1)?.memory_bytes).toBeGreaterThan(process.memoryUsage.rss());
  await daemon.close();
});
