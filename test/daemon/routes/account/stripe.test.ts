import { expect, test, vi } from 'vitest';
import { startDaemon, type TestDaemon } from '../../../helpers/daemon/daemon.ts';
import {
  STRIPE_SECRET,
  deliver,
  intentOf,
  openStripeServer,
  sessionEvent,
  stripeEvent,
} from '../../../helpers/servers/stripe-server.ts';

async function startWithStripe(env: Record<string, string> = {}) {
  const stripe = await openStripeServer();
  const daemon = await startDaemon({
    ASKD_PROFILE: 'hosted',
    ASKD_STRIPE_SECRET_KEY: 'sk_test_local',
    ASKD_STRIPE_WEBHOOK_SECRET: STRIPE_SECRET,
    ASKD_STRIPE_API_BASE: stripe.base,
    ...env,
  });
  const topUp = async (amount: number) => {
    const reply = await daemon.call('POST', '/v1/wallet/top-up', { body: { amount } });
    const session = stripe.sessions.at(-1);
    if (session === undefined) throw new Error(reply.text);
    return { reply, session };
  };
  return { stripe, daemon, port: daemon.port, topUp, balance: () => balanceOf(daemon) };
}

async function balanceOf({ call }: TestDaemon): Promise<number> {
  return (await call('GET', '/v1/wallet/balance')).json<{ balance: number }>().balance;
}

test('a top-up is paid at Stripe’s address, and its event credits it', async () => {
  const { stripe, port, topUp, balance } = await startWithStripe();
  const { reply, session } = await topUp(100);
  expect(reply.json()).toMatchObject({
    checkout_url: `https://checkout.example/${session.id}`,
    amount: 100,
    currency: 'usd',
    total: 110,
  });
  expect(session).toMatchObject({ amount: 10_000, currency: 'usd' });
  expect(stripe.calls[0]?.idempotencyKey).toBe(session.checkoutId);
  expect(await balance()).toBe(0);
  expect((await deliver(port, sessionEvent(session))).json()).toEqual({ received: true });
  expect(await balance()).toBe(110);
});

test('an event counts once, whether it comes twice, as two events, or eight times at once', async () => {
  const { port, topUp, balance } = await startWithStripe();
  const { session } = await topUp(10);
  const event = sessionEvent(session);
  const replies = await Promise.all(Array.from({ length: 8 }, () => deliver(port, event)));
  expect(replies.map(({ status }) => status)).toEqual(Array<number>(8).fill(200));
  await deliver(port, event);
  await deliver(port, sessionEvent(session));
  await deliver(port, sessionEvent(session, {}, 'checkout.session.async_payment_succeeded'));
  expect(await balance()).toBe(10);
});

test('a paid top-up is in the audit log once, with the event that reported it and what it bought', async () => {
  const { daemon, port, topUp } = await startWithStripe();
  const { session } = await topUp(100);
  const event = sessionEvent(session);
  await Promise.all([deliver(port, event), deliver(port, event), deliver(port, sessionEvent(session))]);
  const [paid, ...others] = daemon.services.auditLog.list({ limit: 10, action: 'top_up.pay' }).records;
  expect(others).toEqual([]);
  expect(paid).toMatchObject({
    ...{ object: session.checkoutId, account_id: 'acct_local', outcome: 'succeeded', address: '127.0.0.1' },
    actor: { kind: 'payment_provider', name: 'stripe', id: expect.stringMatching(/^evt_/) as string },
    after: {
      amount: 100,
      bonus: 10,
      price_minor: 10_000,
      currency: 'usd',
      provider: 'stripe',
      kind: 'manual',
    },
  });
});

test('without a record in the audit log nothing is credited, and Stripe is asked to report it again', async () => {
  const { daemon, port, topUp, balance } = await startWithStripe();
  const { session } = await topUp(100);
  const run = (sql: string) => daemon.services.store.prepare(sql).run();
  run("CREATE TRIGGER full BEFORE INSERT ON audit_log BEGIN SELECT RAISE(ABORT, 'no more'); END");
  expect((await deliver(port, sessionEvent(session))).status).toBe(500);
  expect(await balance()).toBe(0);
  run('DROP TRIGGER full');
  expect((await deliver(port, sessionEvent(session))).status).toBe(200);
  expect(await balance()).toBe(110);
});

test('an event not signed by Stripe is refused and changes nothing', async () => {
  const { port, topUp, balance } = await startWithStripe();
  const { session } = await topUp(25);
  const event = sessionEvent(session);
  const now = Math.floor(Date.now() / 1000);
  const forged = [
    { secret: 'whsec_of_somebody_else' },
    { secret: '' },
    { header: '' },
    { header: `t=${now}` },
    { header: `t=${now},v1=${'0'.repeat(64)}` },
    { header: `t=${now},v0=${'0'.repeat(64)}` },
    { at: now - 301 },
    { body: JSON.stringify({ ...event, id: 'evt_changed' }) },
    { body: `${JSON.stringify(event)} ` },
    { body: '' },
  ];
  for (const signing of forged) {
    const reply = await deliver(port, event, signing);
    expect([signing, reply.status]).toEqual([signing, 400]);
    expect(reply.json()).toMatchObject({ error: { code: 'event_not_genuine' } });
  }
  expect(await balance()).toBe(0);
});

test('a genuine event that is sent again five minutes later is a replay, and refused', async () => {
  const { port, topUp, balance } = await startWithStripe();
  const { session } = await topUp(25);
  const event = sessionEvent(session);
  await deliver(port, event);
  const replay = await deliver(port, event, { at: Math.floor(Date.now() / 1000) - 600 });
  expect([replay.status, await balance()]).toEqual([400, 25]);
});

test.each([
  ['another amount', { amount_total: 1 }],
  ['another currency', { currency: 'jpy' }],
  ['no amount', { amount_total: null }],
])('a payment of %s credits nothing, and the owner is notified', async (_what, changes) => {
  const { daemon, port, topUp, balance } = await startWithStripe();
  const { session } = await topUp(100);
  expect((await deliver(port, sessionEvent(session, changes))).status).toBe(200);
  expect(await balance()).toBe(0);
  expect((await daemon.call('GET', '/api/wallet')).json()).toMatchObject({
    notices: [{ kind: 'payment_mismatch' }],
  });
  expect(daemon.services.auditLog.list({ limit: 10, action: 'top_up.pay' }).records).toMatchObject([
    { object: session.checkoutId, outcome: 'refused', code: 'payment_refused' },
  ]);
});

test.each([
  ['is not paid yet', { payment_status: 'unpaid' }],
  ['needs no payment', { payment_status: 'no_payment_required' }],
  ['is another session of the same checkout', { id: 'cs_test_other' }],
  ['names no checkout', { client_reference_id: null }],
  ['names a checkout that is not there', { client_reference_id: "' OR 1=1 --" }],
])('a session that %s credits nothing', async (_what, changes) => {
  const { port, topUp, balance } = await startWithStripe();
  const { session } = await topUp(100);
  expect((await deliver(port, sessionEvent(session, changes))).status).toBe(200);
  expect(await balance()).toBe(0);
});

test('events in another order lead to the same result', async () => {
  const { port, topUp, balance } = await startWithStripe();
  const { session: first } = await topUp(10);
  await deliver(port, sessionEvent(first, {}, 'checkout.session.expired'));
  await deliver(port, sessionEvent(first));
  expect(await balance()).toBe(10);
  const { session: second } = await topUp(10);
  await deliver(port, sessionEvent(second, {}, 'checkout.session.async_payment_succeeded'));
  await deliver(port, sessionEvent(second, { payment_status: 'unpaid' }));
  await deliver(port, sessionEvent(second, {}, 'checkout.session.expired'));
  expect(await balance()).toBe(20);
  const { session: third } = await topUp(10);
  await deliver(port, sessionEvent(third, { payment_status: 'unpaid' }));
  await deliver(port, sessionEvent(third, {}, 'checkout.session.async_payment_failed'));
  await deliver(port, stripeEvent('customer.created', { id: 'cus_9', object: 'customer' }));
  expect(await balance()).toBe(20);
});

test('the local page does not open Stripe checkouts, and without Stripe there is no route for its events', async () => {
  const { port, topUp, daemon } = await startWithStripe();
  const { session } = await topUp(10);
  const page = await daemon.call('POST', `/checkout/${session.id}`, { token: null });
  expect(page.status).toBe(404);
  const plain = await startDaemon();
  expect((await deliver(plain.port, sessionEvent(session))).status).toBe(404);
  expect((await deliver(port, sessionEvent(session))).status).toBe(200);
});

test('only half of the settings is refused at the start', async () => {
  for (const name of ['ASKD_STRIPE_SECRET_KEY', 'ASKD_STRIPE_WEBHOOK_SECRET']) {
    await expect(startDaemon({ [name]: 'whsec_x' })).rejects.toMatchObject({ code: 'config_invalid' });
  }
});

test('when Stripe cannot be reached, a top-up fails honestly', async () => {
  const { daemon } = await startWithStripe({ ASKD_STRIPE_API_BASE: 'http://127.0.0.1:9' });
  const reply = await daemon.call('POST', '/v1/wallet/top-up', { body: { amount: 10 } });
  expect([reply.status, reply.json<{ error: { code: string } }>().error.code]).toEqual([
    502,
    'payment_provider_failed',
  ]);
  expect(reply.text).not.toContain('sk_test');
});

const AUTO = { auto_topup: { enabled: true, threshold: 10, amount: 20 } };

/** An account with a card that an earlier top-up has left. */
async function startWithCard() {
  const started = await startWithStripe();
  const { stripe, daemon, port, topUp } = started;
  stripe.answers.paymentMethods.push({ id: 'pm_1', object: 'payment_method' });
  const { session } = await topUp(5);
  await deliver(port, sessionEvent(session));
  const turnOn = () => daemon.call('PUT', '/api/wallet/settings', { body: AUTO });
  const intents = () => stripe.calls.filter(({ path }) => path === '/v1/payment_intents');
  return { ...started, turnOn, intents };
}

test('an automatic top-up charges the card that an earlier one left, once', async () => {
  const { port, turnOn, intents, balance } = await startWithCard();
  await turnOn();
  await vi.waitFor(async () => expect(await balance()).toBe(25), 10_000);
  const [intent] = intents();
  expect(intents()).toHaveLength(1);
  expect(Object.fromEntries(intent?.form ?? [])).toMatchObject({
    amount: '2000',
    currency: 'usd',
    customer: 'cus_1',
    payment_method: 'pm_1',
    off_session: 'true',
    confirm: 'true',
  });
  expect(intent?.idempotencyKey).toBe(intent?.form.get('metadata[checkout_id]'));
  await deliver(
    port,
    stripeEvent('payment_intent.succeeded', intentOf(intent?.form ?? new URLSearchParams())),
  );
  expect(await balance()).toBe(25);
});

test('a charge whose answer is lost is credited by its event', async () => {
  const { stripe, port, turnOn, intents, balance } = await startWithCard();
  stripe.answers.intents.push('hang up', 'hang up', 'hang up');
  await turnOn();
  await vi.waitFor(() => expect(intents().length).toBeGreaterThan(1), 15_000);
  const form = intents()[0]?.form ?? new URLSearchParams();
  expect(new Set(intents().map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
  await deliver(port, stripeEvent('payment_intent.succeeded', intentOf(form, { amount_received: 1 })));
  expect(await balance()).toBe(5);
  await deliver(port, stripeEvent('payment_intent.succeeded', intentOf(form)));
  expect(await balance()).toBe(25);
});

test('a card that is declined adds nothing', async () => {
  const { stripe, turnOn, intents, balance, daemon } = await startWithCard();
  const error = { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' };
  stripe.answers.intents.push({ status: 402, body: { error } });
  await turnOn();
  await vi.waitFor(() => expect(intents()).toHaveLength(1), 10_000);
  const failed = () => daemon.services.store.prepare("SELECT id FROM checkouts WHERE state = 'failed'").all();
  await vi.waitFor(() => expect(failed()).toHaveLength(1), 10_000);
  expect(await balance()).toBe(5);
});
