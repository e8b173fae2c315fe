import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { webhookComplaint } from '../../../../../src/base/webhook-signature.ts';
import { chats, createBatch, linesOf } from '../../../../helpers/daemon/batches.ts';
import { eventually, openDaemonWith } from '../../../../helpers/daemon/chat.ts';
import { receiver } from '../../../../helpers/servers/webhooks.ts';
import { temporaryFolder } from '../../../../helpers/temporary.ts';

test('the end of a batch, good or bad, is a signed webhook', { timeout: 120_000 }, async () => {
  const script = join(temporaryFolder(), 'answers.json');
  writeFileSync(script, JSON.stringify({ rules: [{ answer: { text: 'Done.' } }] }));
  const env = { ASKD_SCRIPTED_ANSWERS: script, ASKD_WEBHOOKS_ALLOW_CIDRS: '127.0.0.0/8' };
  const daemon = await openDaemonWith({}, env);
  onTestFinished(daemon.close);
  const inbox = await receiver();
  const body = { name: 'inbox', url: inbox.url, events: ['batch.completed', 'batch.failed'] };
  const { secret } = (await daemon.call('POST', '/api/webhooks', { body })).json<{ secret: string }>();

  const good = await createBatch(daemon.sdk, linesOf(chats(2, { model: 'scripted' })));
  await eventually(() => inbox.deliveries.length).toBe(1);
  const bad = await createBatch(daemon.sdk, 'oops\n');
  await eventually(() => inbox.deliveries.length).toBe(2);

  expect(inbox.deliveries.map(({ body }) => JSON.parse(body) as unknown)).toMatchObject([
    { type: 'batch.completed', data: { id: good.id, request_counts: { total: 2, completed: 2, failed: 0 } } },
    { type: 'batch.failed', data: { id: bad.id } },
  ]);
  for (const { headers, body } of inbox.deliveries)
    expect(webhookComplaint({ headers, body: Buffer.from(body), secret, nowMs: Date.now() })).toBeUndefined();
});
