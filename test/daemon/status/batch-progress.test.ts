import { once, EventEmitter } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import type { RecordedEvent } from '../../../src/api/management/events.ts';
import { followBatches } from '../../../daemon/status/batch-progress.ts';
import { createBatch, linesOf, overOf, requests } from '../../helpers/daemon/batches.ts';
import { openDaemonWith } from '../../helpers/daemon/chat.ts';

test('a change that arrives while an earlier report is due is reported in its turn', async () => {
  const daemon = await openDaemonWith({});
  onTestFinished(daemon.close);
  const body = { model: 'missing', messages: [{ role: 'user', content: 'Hello' }] };
  const { id } = await createBatch(daemon.sdk, linesOf(requests('/v1/chat/completions', [body])));
  await overOf(daemon.sdk, id);
  const { batches, clock } = daemon.services;
  const bell = new EventEmitter();
  const progress = followBatches({ batches, clock }, () => bell.emit('ring'));
  onTestFinished(() => progress.close());

  batches.progressed(id);
  expect(progress.take()).toMatchObject([{ type: 'batch.progress', data: { id, status: 'failed' } }]);
  batches.progressed(id);
  const reports: RecordedEvent[] = [];
  while (reports.length === 0) {
    await once(bell, 'ring');
    reports.push(...progress.take());
  }
  expect(reports).toMatchObject([{ type: 'batch.progress', data: { id } }]);
});
