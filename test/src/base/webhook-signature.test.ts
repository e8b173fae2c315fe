import OpenAI from 'openai';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { newWebhookSecret, signWebhook, webhookComplaint } from '../../../src/base/webhook-signature.ts';

const VECTOR = {
  id: 'evt_01J0000000000000000000000',
  timestampSeconds: 1_700_000_000,
  body: '{"type":"chat.completed","timestamp":"2023-11-14T22:13:20.000Z","data":{"id":"chatcmpl_1"}}',
  secrets: ['whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='],
};
type Wrong = { body?: Buffer; secret?: string; nowMs?: number; headers?: Record<string, string | undefined> };

const nowMs = VECTOR.timestampSeconds * 1000;

function signedNow(secrets: readonly string[], body = '{"type":"test","data":{}}') {
  const timestampSeconds = Math.floor(Date.now() / 1000);
  return { body, headers: { ...signWebhook({ id: 'evt_1', timestampSeconds, body, secrets }) } };
}

test('the known vector has the known signature', () => {
  expect(signWebhook(VECTOR)).toEqual({
    'webhook-id': VECTOR.id,
    'webhook-timestamp': '1700000000',
    'webhook-signature': 'v1,1vUgxR5CsOLOKFmuo/fqpYGaiQ1w04rm9IHRXAYArAA=',
  });
});

test('the reference library and the OpenAI SDK accept what is signed, also in the middle of a rotation', async () => {
  const [fresh, old] = [newWebhookSecret(), newWebhookSecret()];
  const { headers, body } = signedNow([fresh, old]);
  const sdk = new OpenAI({ apiKey: 'none' });
  for (const secret of [fresh, old]) {
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    expect(await sdk.webhooks.unwrap(body, headers, secret)).toEqual(JSON.parse(body));
  }
  const otherSecret = newWebhookSecret();
  expect(() => new Webhook(otherSecret).verify(body, headers)).toThrow();
  await expect(sdk.webhooks.unwrap(body, headers, otherSecret)).rejects.toThrow();
});

test('what the reference library signs is accepted', () => {
  const secret = newWebhookSecret();
  const signature = new Webhook(secret).sign('evt_1', new Date(nowMs), 'hello');
  const headers = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': '1700000000',
    'webhook-signature': signature,
  };
  expect(webhookComplaint({ headers, body: Buffer.from('hello'), secret, nowMs })).toBeUndefined();
});

test.each<[string, Wrong, RegExp]>([
  ['another body', { body: Buffer.from('{}') }, /no signature matches/],
  ['another id', { headers: { 'webhook-id': 'evt_2' } }, /no signature matches/],
  ['another secret', { secret: newWebhookSecret() }, /no signature matches/],
  ['a timestamp of long ago', { nowMs: nowMs + 301_000 }, /timestamp is too old or in the future/],
  ['a timestamp to come', { nowMs: nowMs - 301_000 }, /timestamp is too old or in the future/],
  ['a timestamp in words', { headers: { 'webhook-timestamp': 'now' } }, /not a number/],
  ['a missing header', { headers: { 'webhook-signature': undefined } }, /missing/],
  ['another version', { headers: { 'webhook-signature': 'v1a,AAAA' } }, /no signature matches/],
])('%s is refused', (_, change, complaint) => {
  const right = {
    headers: signWebhook(VECTOR),
    body: Buffer.from(VECTOR.body),
    secret: VECTOR.secrets[0] ?? '',
    nowMs,
  };
  expect(webhookComplaint(right)).toBeUndefined();
  const wrong = { ...right, ...change, headers: { ...right.headers, ...change.headers } };
  expect(webhookComplaint(wrong)).toMatch(complaint);
});
