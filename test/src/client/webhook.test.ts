import { verifyWebhook, WebhookVerificationError } from 'askd/client';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newWebhookSecret, signWebhook } from '../../../src/base/webhook-signature.ts';

const secret = newWebhookSecret();
const nowMs = Date.UTC(2027, 0, 31);
const now = () => nowMs;
const body = JSON.stringify({ type: 'webhook.test', timestamp: '2027-01-31T00:00:00.000Z', data: {} });
const headersOf = (signedBody: string, secrets = [secret], timestampSeconds = nowMs / 1000) =>
  signWebhook({ id: 'evt_1', timestampSeconds, body: signedBody, secrets });

test('what the daemon signs is verified, with headers of every kind and during a rotation', async () => {
  const old = newWebhookSecret();
  const headers = headersOf(body, [old, secret]);
  const event = JSON.parse(body) as unknown;
  const raised = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
  );
  for (const given of [headers, new Headers(headers), raised])
    expect(await verifyWebhook({ body, headers: given, secret, now })).toEqual(event);
  expect(
    await verifyWebhook({ body: Buffer.from(body), headers: headersOf(body), secret: [old, secret], now }),
  ).toEqual(event);
});

test('any change of the body is detected', async () => {
  const headers = headersOf(body);
  await fc.assert(
    fc.asyncProperty(fc.nat(body.length - 1), fc.constantFrom('x', ' ', ''), async (at, replacement) => {
      const changed = body.slice(0, at) + replacement + body.slice(at + 1);
      fc.pre(changed !== body);
      await expect(verifyWebhook({ body: changed, headers, secret, now })).rejects.toThrow(
        WebhookVerificationError,
      );
    }),
    { numRuns: 50 },
  );
});

test.each([
  ['another secret signed it', headersOf(body, [newWebhookSecret()]), /No signature/],
  ['it is six minutes old', headersOf(body, [secret], nowMs / 1000 - 360), /too old/],
  ['it comes from the future', headersOf(body, [secret], nowMs / 1000 + 360), /future/],
  ['a header is missing', { ...headersOf(body), 'webhook-id': undefined }, /missing/],
  ['the timestamp is a word', { ...headersOf(body), 'webhook-timestamp': 'soon' }, /not a number/],
  ['the signature is not base64', { ...headersOf(body), 'webhook-signature': 'v1,***' }, /No signature/],
])('a webhook is refused if %s', async (_why, headers, message) => {
  await expect(verifyWebhook({ body, headers, secret, now })).rejects.toThrow(message);
});

test("a malformed secret is the program's mistake, not the sender's", async () => {
  await expect(verifyWebhook({ body, headers: headersOf(body), secret: '', now })).rejects.toThrow(TypeError);
});
