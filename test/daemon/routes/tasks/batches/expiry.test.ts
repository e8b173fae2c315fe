import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createTestClock } from '../../../../../src/base/test-clock.ts';
import { chats, createBatch, linesOf, overOf, readBatchFile } from '../../../../helpers/daemon/batches.ts';
import { eventually, openDaemonWith } from '../../../../helpers/daemon/chat.ts';
import { temporaryFolder } from '../../../../helpers/temporary.ts';

test('a batch that cannot be finished within its window expires, and says so for each line', async () => {
  const script = join(temporaryFolder(), 'answers.json');
  writeFileSync(script, JSON.stringify({ rules: [{ answer: { text: 'Done.' } }] }));
  const env = { ASKD_SCRIPTED_ANSWERS: script };
  const daemon = await openDaemonWith({}, env, undefined, { testClock: createTestClock() });
  onTestFinished(daemon.close);
  const { sdk } = daemon;
  const advance = (text: string) => daemon.call('PUT', '/api/test/clock', { body: { advance: text } });

  await daemon.call('PUT', '/api/test/wallet', { body: { balance: 0 } });
  const { id } = await createBatch(sdk, linesOf(chats(3, { model: 'scripted' })));
  const waiting = async () => ((await sdk.batches.retrieve(id)) as { waiting?: string | null }).waiting ?? '';
  await eventually(waiting).toMatch(/credits/);
  await advance('25 hours');
  const batch = await overOf(sdk, id);
  expect(batch).toMatchObject({ status: 'expired', request_counts: { total: 3, completed: 0, failed: 3 } });
  expect(batch.expired_at).toBeGreaterThanOrEqual(batch.expires_at ?? Infinity);
  const lines = await readBatchFile(sdk, batch.error_file_id);
  expect(lines.map(({ custom_id, error }) => [custom_id, error?.code])).toEqual(
    ['line-1', 'line-2', 'line-3'].map((line) => [line, 'batch_expired']),
  );
});
