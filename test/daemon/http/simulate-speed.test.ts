import { expect, test } from 'vitest';
import { troubledDaemon } from '../../helpers/daemon/test-key.ts';

test('a stream has the speed that was asked for', { timeout: 240_000 }, async () => {
  const { ask } = await troubledDaemon();
  const startedAt = performance.now();
  const response = await ask('tokens-per-second=20', { stream: true });
  const text = await response.text();
  const pieces = text.match(/"content":"[^"]/g)?.length ?? 0;
  expect(pieces).toBeGreaterThan(2);
  expect(performance.now() - startedAt).toBeGreaterThan((pieces - 1) * 48);
});
