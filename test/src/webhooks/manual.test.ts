import { describe, expect, test } from 'vitest';
import { eventually } from '../../helpers/daemon/chat.ts';
import { settableClock } from '../../helpers/clock.ts';
import { answers } from '../../helpers/servers/receiver.ts';
import { ACCOUNT, openWebhooks, receiver } from '../../helpers/servers/webhooks.ts';

describe('by hand', () => {
  const { signal } = new AbortController();

  test('a test event is sent at once, logged, and not retried', async () => {
    const hook = await receiver({ behave: answers(500) });
    const { add, manual, log } = openWebhooks();
    const { webhook } = await add(hook.url);
    const eventId = await manual.test(ACCOUNT, webhook.id, signal);
    expect(log.find(webhook.id, eventId)).toMatchObject({
      type: 'webhook.test',
      state: 'failed',
      attempts: [{ cause: 'test', status: 500 }],
    });
    hook.behaves(answers(200));
    expect(log.find(webhook.id, await manual.test(ACCOUNT, webhook.id, signal))?.state).toBe('delivered');
    expect(hook.types()).toEqual(['webhook.test', 'webhook.test']);
  });

  test('a failed delivery is sent once more', async () => {
    const hook = await receiver({ behave: answers(500) });
    const { add, record, worker, states, manual, endpoints } = openWebhooks({ waitsMs: [] });
    const { webhook } = await add(hook.url);
    worker.start();
    record();
    await eventually(() => states(webhook.id)).toEqual(['failed']);
    hook.behaves(answers(200));
    await manual.resend(endpoints.rowOf(ACCOUNT, webhook.id), hook.ids()[0] ?? '', signal);
    expect(states(webhook.id)).toEqual(['delivered']);
    expect(new Set(hook.ids()).size).toBe(1);
  });

  test('at most ten are sent a minute', async () => {
    const hook = await receiver();
    const { add, manual } = openWebhooks();
    const { webhook } = await add(hook.url);
    for (let index = 0; index < 10; index++) await manual.test(ACCOUNT, webhook.id, signal);
    await expect(manual.test(ACCOUNT, webhook.id, signal)).rejects.toMatchObject({
      code: 'rate_limit_exceeded',
      retryAfterSeconds: expect.any(Number),
    });
  });

  test('every undelivered event since a given time is due again, even one without a delivery', async () => {
    const clock = settableClock(Date.now());
    const hook = await receiver({ behave: answers(500) });
    const { add, record, worker, states, ...webhooks } = openWebhooks({ waitsMs: [], clock });
    record('no delivery of, too old');
    clock.advance(1000);
    const since = clock.now();
    record('no delivery of');
    const { webhook } = await add(hook.url);
    worker.start();
    record('failed');
    await eventually(() => states(webhook.id)).toEqual(['failed']);
    hook.behaves(answers(200));
    record('arrived');
    await eventually(() => states(webhook.id)).toEqual(['delivered', 'failed']);
    expect(webhooks.replay(webhooks.endpoints.rowOf(ACCOUNT, webhook.id), since)).toBe(2);
    await eventually(() => states(webhook.id)).toEqual(['delivered', 'delivered', 'delivered']);
  });
});
