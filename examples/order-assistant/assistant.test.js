// An application with its tests: tools, streams, retries, webhooks and credits, offline. Run them with
//   node --test examples/order-assistant/assistant.test.js
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startAskd } from 'askd/testing';
import OpenAI from 'openai';
import { createAssistant, OutOfBudget } from './assistant.js';
import { openCosts } from './costs.js';

const ROUTE = 'POST /v1/chat/completions';
const ARRIVES = 'Your order 17 is on its way and arrives on Friday.';
const orders = { 17: { state: 'on its way', arrives: 'Friday' } };

let askd;
let ask;

before(async () => {
  const script = fileURLToPath(new URL('answers.yaml', import.meta.url));
  askd = await startAskd({ models: { script } });
  ask = createAssistant({ orders, openai: new OpenAI({ baseURL: askd.baseURL, apiKey: askd.apiKey }) });
});
after(() => askd.stop());
beforeEach(() => askd.wallet.set(100));

test('it looks the order up and answers as a stream', async () => {
  const texts = [];
  assert.equal(await ask('Where is order 17?', { onText: (text) => texts.push(text) }), ARRIVES);
  assert.equal(texts.join(''), ARRIVES);
  assert.ok(texts.length > 1);
});

test('a 429 is tried again and nobody notices', async () => {
  await askd.simulate({ route: ROUTE, status: 429, retry_after: 0, times: 1 });
  assert.equal(await ask('Where is order 17?'), ARRIVES);
});

test('an answer whose stream is cut begins anew', async () => {
  await askd.simulate({ route: ROUTE, cut_after: 2, times: 1 });
  let shown = '';
  let restarts = 0;
  const answer = await ask('Thank you!', {
    onText: (text) => (shown += text),
    onRestart: () => {
      restarts += 1;
      shown = '';
    },
  });
  assert.equal(answer, 'You are welcome!');
  assert.equal(shown, answer);
  assert.equal(restarts, 1);
});

test('without credits it says so, and works again once somebody pays', async () => {
  await askd.wallet.empty();
  await assert.rejects(ask('Thank you!'), OutOfBudget);
  await askd.wallet.set(1);
  assert.equal(await ask('Thank you!'), 'You are welcome!');
});

test('the tokens of a month are there again in the next one', async () => {
  await askd.clock.advance('31 days');
  await askd.client.account.setTier({ tier: 'enterprise', monthly_tokens: 500 });
  await ask('Thank you!');
  await assert.rejects(ask('Thank you!'), OutOfBudget);
  await askd.clock.advance('31 days');
  assert.equal(await ask('Thank you!'), 'You are welcome!');
  await askd.client.account.setTier({ tier: 'enterprise' });
});

test(
  'the costs are those of the answers, and a forged webhook adds nothing',
  { timeout: 60_000 },
  async (t) => {
    const costs = await openCosts();
    t.after(costs.close);
    const { url } = costs;
    costs.secret = (
      await askd.client.webhooks.create({ name: 'costs', url, events: ['chat.completed'] })
    ).secret;
    await askd.simulate({ route: ROUTE, webhook: 'wrong-signature', times: 1 });
    await ask('Thank you!');
    await settled(() => costs.refused === 1);
    assert.equal(costs.answers, 0);

    // The next one is signed by askd.
    await ask('Thank you!');
    await settled(() => costs.answers === 1);
    const { balance } = await askd.client.wallet.balance();
    assert.equal(Number((100 - 2 * costs.total).toFixed(9)), balance);
  },
);

/** Until it is so; the timeout of the test ends what would wait for ever. */
async function settled(isSo) {
  while (!isSo()) await wait(10);
}
