import { createHmac, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { send, type Reply } from '../daemon/daemon.ts';

export const STRIPE_SECRET = 'whsec_test_of_the_local_server';

export type StripeCall = { path: string; form: URLSearchParams; idempotencyKey: string | undefined };
type Answer = { status?: number; body: object } | 'hang up';
type CheckoutSession = { id: string; checkoutId: string; amount: number; currency: string };

/** The part of Stripe's API that top-ups use: records requests, and signs events as Stripe does. */
export async function openStripeServer() {
  const calls: StripeCall[] = [];
  const sessions: CheckoutSession[] = [];
  const answered = new Map<string, Answer>();
  const answers: { paymentMethods: object[]; intents: Answer[] } = { paymentMethods: [], intents: [] };

  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const part of request) text += String(part);
    const path = (request.url ?? '').split('?')[0] ?? '';
    const form = new URLSearchParams(text);
    const idempotencyKey = request.headers['idempotency-key'] as string | undefined;
    calls.push({ path, form, idempotencyKey });
    const isKnown = idempotencyKey !== undefined && request.method === 'POST';
    const answer = (isKnown ? answered.get(idempotencyKey) : undefined) ?? answerTo(path, form);
    if (isKnown && answer !== 'hang up') answered.set(idempotencyKey, answer);
    if (answer === 'hang up') return void request.socket.destroy();
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer.body));
  }

  function answerTo(path: string, form: URLSearchParams): Answer {
    if (path === '/v1/checkout/sessions') return { body: openSession(form) };
    if (path.endsWith('/payment_methods')) return { body: { object: 'list', data: answers.paymentMethods } };
    if (path === '/v1/payment_intents') return answers.intents.shift() ?? { body: intentOf(form) };
    return { status: 404, body: { error: { type: 'invalid_request_error', message: `no ${path}` } } };
  }

  function openSession(form: URLSearchParams): object {
    const session = {
      id: `cs_test_${randomUUID()}`,
      checkoutId: form.get('client_reference_id') ?? '',
      amount: Number(form.get('line_items[0][price_data][unit_amount]')),
      currency: form.get('line_items[0][price_data][currency]') ?? '',
    };
    sessions.push(session);
    return { id: session.id, object: 'checkout.session', url: `https://checkout.example/${session.id}` };
  }

  const { port } = server.address() as AddressInfo;
  return { base: `http://127.0.0.1:${port}`, calls, sessions, answers };
}

export function intentOf(form: URLSearchParams, changes: object = {}): object {
  const amount = Number(form.get('amount'));
  const metadata = { checkout_id: form.get('metadata[checkout_id]') };
  const paid = {
    status: 'succeeded',
    amount,
    amount_received: amount,
    currency: form.get('currency'),
    metadata,
  };
  return { id: `pi_${randomUUID()}`, object: 'payment_intent', ...paid, ...changes };
}

/** The event of a paid session, unless specified otherwise. */
export function sessionEvent(
  session: CheckoutSession,
  changes: object = {},
  type = 'checkout.session.completed',
) {
  return stripeEvent(type, {
    id: session.id,
    object: 'checkout.session',
    client_reference_id: session.checkoutId,
    payment_status: 'paid',
    amount_total: session.amount,
    currency: session.currency,
    customer: 'cus_1',
    ...changes,
  });
}

export function stripeEvent(type: string, object: object) {
  return { id: `evt_${randomUUID()}`, object: 'event', type, data: { object } };
}

export type Signing = { secret?: string; at?: number; body?: string; header?: string };

/** Posts an event as Stripe does, or as a forger would. */
export function deliver(port: number, event: object, signing: Signing = {}): Promise<Reply> {
  const { secret = STRIPE_SECRET, at = Math.floor(Date.now() / 1000) } = signing;
  const signed = JSON.stringify(event);
  const signature = createHmac('sha256', secret).update(`${at}.${signed}`).digest('hex');
  return send({
    port,
    method: 'POST',
    path: '/api/stripe/events',
    body: signing.body ?? signed,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'stripe-signature': signing.header ?? `t=${at},v1=${signature}`,
    },
  });
}
