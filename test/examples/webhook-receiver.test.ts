import { expect, test } from 'vitest';
import { signWebhook, type SignedHeaders } from '../../src/base/webhook-signature.ts';
import { commandsOf, openExamples } from '../helpers/examples.ts';

const OLD_SECONDS = 600;

/** The two terminals from the first lines, on a free port. */
async function openReceiver() {
  const examples = await openExamples();
  const [receive = '', forward = ''] = commandsOf('webhook-receiver.js');
  const receiver = examples.start(receive, { PORT: '0' });
  const url = await receiver.prints(/Listening on (http:\S+)/);
  const { stdout: secret } = await examples.askd(['webhooks', 'listen', '--print-secret']);
  const post = async (headers: Partial<SignedHeaders>, body: string) => {
    const response = await fetch(url, { method: 'POST', headers, body });
    return { status: response.status, text: await response.text() };
  };
  return { ...examples, receiver, forward: forward.replace('http://127.0.0.1:3000/hook', url), secret, post };
}

test('the receiver prints the events of a chat, forwarded by askd', async () => {
  const { askd, start, receiver, forward } = await openReceiver();
  await start(forward).prints(/Listening/);
  expect((await askd(['chat', 'Say hello'])).exitCode).toBe(0);
  await receiver.prints(/^chat\.started \{.*"request_id"/m);
  await receiver.prints(/^chat\.completed \{.*"usage"/m);
});

test('the receiver rejects changed, old and wrongly signed events, and processes a repeated one once', async () => {
  const { receiver, secret, post } = await openReceiver();
  const body = JSON.stringify({ type: 'chat.completed', data: { n: 1 } });
  const now = Math.floor(Date.now() / 1000);
  const signed = (timestampSeconds = now, secrets = [secret]) =>
    signWebhook({ id: 'msg_1', timestampSeconds, body, secrets });

  const refused = [
    await post(signed(), body.replace('1', '2')),
    await post(signed(now - OLD_SECONDS), body),
    await post(signed(now, ['whsec_c29tZW9uZSBlbHNl']), body),
    await post({}, body),
  ];
  expect(refused.map(({ status, text }) => `${status} ${text}`)).toEqual([
    '400 no signature matches',
    '400 the timestamp is too old or in the future',
    '400 no signature matches',
    '400 a signature header is missing',
  ]);

  const rotating = signed(now, ['whsec_c29tZW9uZSBlbHNl', secret]);
  const statuses = [await post(rotating, body), await post(rotating, body)].map(({ status }) => status);
  expect(statuses).toEqual([204, 204]);
  const other = JSON.stringify({ type: 'usage.limit_reached', data: {} });
  await post(signWebhook({ id: 'msg_2', timestampSeconds: now, body: other, secrets: [secret] }), other);
  await receiver.prints(/^usage\.limit_reached/m);
  expect(receiver.printed().match(/^chat\.completed \{"n":1\}$/gm)).toHaveLength(1);
});
