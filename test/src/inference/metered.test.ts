import { describe, expect, test } from 'vitest';
import type { Meter, MeteredRequest } from '../../../src/inference/metered.ts';
import { ACCOUNT, openWallet, type TestWallet } from '../../helpers/wallet.ts';

/** At 100 nano-credits for a token of the prompt and 200 for one of the answer. */
const PROMPT = 10;
const costOf = (completionTokens: number) => (PROMPT * 100 + completionTokens * 200) / 1e9;

let serial = 0;

function chat(completionTokensMax: number, counts = { promptTokens: PROMPT }): MeteredRequest {
  return {
    requestId: `req_${(serial += 1)}`,
    accountId: ACCOUNT,
    keyId: 'key_1',
    task: 'chat',
    model: 'svc-chat-v1',
    artifact: 'a',
    stream: true,
    counts,
    completionTokensMax,
  };
}

/** What a model does: the prompt, then a token at a time, as long as it may; then whatever `end` says. */
function answer(tokens: number, end: (meter: Meter) => void = (meter) => (meter.outcome = 'finished')) {
  return async function* (meter: Meter) {
    await Promise.resolve();
    meter.promptTokens = PROMPT;
    for (let count = 1; count <= tokens; count++) {
      meter.completionTokens = count;
      yield count;
      if (!meter.mayGoOn()) {
        meter.finishReason = 'length';
        meter.outcome = 'finished';
        return;
      }
    }
    end(meter);
  };
}

async function runAll({ metered }: TestWallet, request: MeteredRequest, work: ReturnType<typeof answer>) {
  let count = 0;
  for await (const at of metered.run(request, work)) count = at;
  return count;
}

function fails(meter: Meter): void {
  meter.outcome = 'failed';
  throw new Error('the engine broke');
}

function leaves(meter: Meter): void {
  meter.outcome = 'disconnected';
}

function state({ store, wallet, findings }: TestWallet) {
  expect(findings()).toEqual([]);
  const { balance, held } = wallet.balance(ACCOUNT);
  const hold = store.prepare<{ state: string }>('SELECT state FROM holds').all().at(-1);
  const usage = store.prepare<Record<string, unknown>>('SELECT * FROM usage').all().at(-1);
  const types = wallet.transactions(ACCOUNT).map(({ type }) => type);
  return { spent: Number((1 - balance).toFixed(9)), held, hold: hold?.state, usage, types };
}

function openWithCredit(options: Parameters<typeof openWallet>[0] = {}) {
  const parts = openWallet(options);
  parts.credit(1);
  return parts;
}

describe('every way out closes the hold once:', () => {
  test('an answer that finished pays for what it used', async () => {
    const parts = openWithCredit();
    await runAll(parts, chat(500), answer(20));
    expect(state(parts)).toMatchObject({
      spent: costOf(20),
      held: 0,
      hold: 'settled',
      types: ['usage', 'topup'],
      usage: { outcome: 'finished', prompt_tokens: PROMPT, completion_tokens: 20, cost_n: costOf(20) * 1e9 },
    });
  });

  test('an answer of no token, finished all the same, pays for its prompt', async () => {
    const parts = openWithCredit();
    await runAll(parts, chat(500), answer(0));
    expect(state(parts)).toMatchObject({ spent: costOf(0), hold: 'settled' });
  });

  test('a client that leaves pays for what was made until then', async () => {
    const parts = openWithCredit();
    await runAll(parts, chat(500), answer(7, leaves));
    expect(state(parts)).toMatchObject({
      spent: costOf(7),
      hold: 'settled',
      usage: { outcome: 'disconnected' },
    });
  });

  test('a client that leaves before the first token pays nothing', async () => {
    const parts = openWithCredit();
    await runAll(parts, chat(500), answer(0, leaves));
    expect(state(parts)).toMatchObject({ spent: 0, hold: 'released', types: ['topup'] });
    expect(state(parts).usage).toMatchObject({ outcome: 'disconnected', cost_n: 0, prompt_tokens: PROMPT });
  });

  test('a reader that stops reading ends it as well', async () => {
    const parts = openWithCredit();
    const events = parts.metered.run(chat(500), answer(400));
    await events.next();
    await events.next();
    expect(parts.wallet.balance(ACCOUNT).held).toBeGreaterThan(0);
    await events.return(undefined);
    expect(state(parts)).toMatchObject({ spent: costOf(2), held: 0, usage: { completion_tokens: 2 } });
  });

  test('an engine that breaks before its first token costs nothing', async () => {
    const parts = openWithCredit();
    await expect(runAll(parts, chat(500), answer(0, fails))).rejects.toThrow('the engine broke');
    expect(state(parts)).toMatchObject({
      spent: 0,
      hold: 'released',
      usage: { outcome: 'failed', cost_n: 0 },
    });
  });

  test('an engine that breaks later costs what it made, and the transaction says so', async () => {
    const parts = openWithCredit();
    await expect(runAll(parts, chat(500), answer(5, fails))).rejects.toThrow('the engine broke');
    expect(state(parts)).toMatchObject({ spent: costOf(5), hold: 'settled', usage: { outcome: 'failed' } });
    const { meta } = parts.store
      .prepare<{ meta: string }>("SELECT meta FROM wallet_transactions WHERE type = 'usage'")
      .get() ?? { meta: '{}' };
    expect(JSON.parse(meta)).toMatchObject({
      outcome: 'failed',
      key_id: 'key_1',
      used: { completionTokens: 5 },
    });
  });

  test('and is paid back, visibly, where the owner chose so', async () => {
    const parts = openWithCredit({ refundFailed: true });
    await expect(runAll(parts, chat(500), answer(5, fails))).rejects.toThrow();
    expect(state(parts)).toMatchObject({ spent: 0, hold: 'settled', types: ['refund', 'usage', 'topup'] });
  });

  test('but a client that left is not paid back', async () => {
    const parts = openWithCredit({ refundFailed: true });
    await runAll(parts, chat(500), answer(5, leaves));
    expect(state(parts)).toMatchObject({ spent: costOf(5), types: ['usage', 'topup'] });
  });

  test('a generator that nobody started holds nothing', () => {
    const parts = openWithCredit();
    parts.metered.run(chat(500), answer(5));
    expect(parts.wallet.balance(ACCOUNT).held).toBe(0);
  });
});

describe('a whole answer', () => {
  const speech: MeteredRequest = { ...chat(0), model: 'svc-chat-v1', counts: { promptTokens: 100 } };
  const whole = () => ({ ...speech, requestId: `req_${(serial += 1)}` });

  test('is paid when it is there, and says what it cost', async () => {
    const parts = openWithCredit();
    const { result, costN } = await parts.metered.once(whole(), (meter) => {
      meter.promptTokens = 100;
      return Promise.resolve('done');
    });
    expect([result, costN]).toEqual(['done', 10_000]);
    expect(state(parts)).toMatchObject({ spent: 0.00001, hold: 'settled' });
  });

  test('that fails pays for what was counted before', async () => {
    const parts = openWithCredit();
    const broken = parts.metered.once(whole(), () => Promise.reject(new Error('broken')));
    await expect(broken).rejects.toThrow('broken');
    expect(state(parts)).toMatchObject({ spent: 0, hold: 'released', usage: { outcome: 'failed' } });
  });

  test('whose settlement fails gives back its place in every limit once', async () => {
    const parts = openWithCredit();
    parts.tiers.set(ACCOUNT, 'enterprise', { monthlyTokens: 150 });
    const attempt = parts.metered.once(whole(), () => {
      parts.store.prepare('ALTER TABLE usage RENAME TO elsewhere').run();
      return Promise.resolve('done');
    });
    await expect(attempt).rejects.toThrow('usage');
    const tokens = (wantTokens: number) =>
      parts.quota.reserve(ACCOUNT, { leastTokens: wantTokens, wantTokens });
    expect(() => tokens(151)).toThrow(expect.objectContaining({ code: 'insufficient_quota' }));
    tokens(150);
  });
});

describe('an answer longer than what was held', () => {
  test('is paid in steps and costs exactly what it used', async () => {
    const parts = openWithCredit();
    expect(await runAll(parts, chat(5000), answer(4321))).toBe(4321);
    expect(state(parts)).toMatchObject({ spent: costOf(4321), held: 0 });
  });

  test('ends at the last token that can be paid, and never below zero', async () => {
    const parts = openWallet();
    parts.credit(costOf(1500));
    expect(await runAll(parts, chat(5000), answer(5000))).toBe(1500);
    expect(parts.wallet.balance(ACCOUNT)).toMatchObject({ balance: 0, held: 0 });
    expect(state(parts).usage).toMatchObject({ outcome: 'finished' });
  });

  test.each([costOf(1), costOf(1) + 1e-9, costOf(37) + 150e-9, costOf(1024), costOf(1025)])(
    'ends where %d credits end',
    async (credits) => {
      const parts = openWallet();
      parts.credit(credits);
      const tokens = Math.floor((credits * 1e9 - PROMPT * 100 + 1e-3) / 200);
      expect(await runAll(parts, chat(5000), answer(5000))).toBe(tokens);
      expect(parts.findings()).toEqual([]);
    },
  );

  test('goes on with credits that came while it ran', async () => {
    const parts = openWallet();
    parts.credit(costOf(1024));
    const work = async function* (meter: Meter) {
      for await (const count of answer(2000)(meter)) {
        if (count === 1000) parts.credit(1);
        yield count;
      }
    };
    let last = 0;
    for await (const count of parts.metered.run(chat(2000), work)) last = count;
    expect(last).toBe(2000);
  });

  test('leaves the tokens of the month that it does not use to others', async () => {
    const parts = openWallet();
    parts.tiers.set(ACCOUNT, 'enterprise', { monthlyTokens: 10_000 });
    parts.credit(costOf(1500));
    const events = parts.metered.run(chat(8000), answer(8000));
    for (let count = 0; count < 1490; count++) await events.next();
    parts.quota.release(parts.quota.reserve(ACCOUNT, { leastTokens: 7000, wantTokens: 7000 }));
    await events.return(undefined);
  });

  test('ends where the tokens of the month end', async () => {
    const parts = openWithCredit();
    parts.tiers.set(ACCOUNT, 'enterprise', { monthlyTokens: PROMPT + 1200 });
    expect(await runAll(parts, chat(5000), answer(5000))).toBe(1200);
    expect(parts.quota.status(ACCOUNT).used).toBe(PROMPT + 1200);
    await expect(runAll(parts, chat(5000), answer(1))).rejects.toMatchObject({ code: 'insufficient_quota' });
  });
});

describe('free tokens', () => {
  test('come before credits, and a request that begins on them ends on credits', async () => {
    const parts = openWithCredit();
    parts.tiers.set(ACCOUNT, 'free');
    await parts.metered.once({ ...chat(0), counts: { promptTokens: 99_900 } }, (meter) => {
      meter.promptTokens = 99_900;
      return Promise.resolve();
    });
    parts.clock.advance(60_000);
    expect(state(parts)).toMatchObject({ spent: 0, hold: 'settled', types: ['topup'] });
    await runAll(parts, chat(500), answer(150));
    expect(state(parts).spent).toBe((60 * 200) / 1e9);
    expect(parts.quota.status(ACCOUNT)).toMatchObject({ used: 100_060 });
  });

  test('alone carry an empty wallet to their end, and then the quota is what is used up', async () => {
    const parts = openWallet();
    parts.tiers.set(ACCOUNT, 'free');
    await parts.metered.once({ ...chat(0), counts: { promptTokens: 99_900 } }, (meter) => {
      meter.promptTokens = 99_900;
      return Promise.resolve();
    });
    parts.clock.advance(60_000);
    expect(await runAll(parts, chat(500), answer(500))).toBe(90);
    for (let count = 0; count < 2; count++) {
      await expect(runAll(parts, chat(500), answer(1))).rejects.toMatchObject({ code: 'insufficient_quota' });
    }
    expect(parts.eventsOf('usage.limit_reached')).toEqual([{ kind: 'monthly_tokens', period: '2026-06' }]);
    expect(parts.findings()).toEqual([]);
  });
});

describe('a refused request', () => {
  test.each(['insufficient_credits', 'credits_on_hold', 'spending_limit_reached'])(
    '(%s) consumes nothing of any limit',
    async (code) => {
      const parts = openWallet();
      const { wallet, rates } = parts;
      if (code !== 'insufficient_credits') parts.credit(costOf(1024));
      const spendingLimit = { enabled: true, limitN: 1, action: 'block' } as const;
      if (code === 'spending_limit_reached') wallet.settings.put(ACCOUNT, { spendingLimit });
      const running = parts.metered.run(chat(5000), answer(5000));
      if (code === 'credits_on_hold') await running.next();
      const before = [rates.status(ACCOUNT), wallet.balance(ACCOUNT), parts.eventsOf('chat.started')];
      await expect(runAll(parts, chat(500), answer(1))).rejects.toMatchObject({ code });
      expect([rates.status(ACCOUNT), wallet.balance(ACCOUNT), parts.eventsOf('chat.started')]).toEqual(
        before,
      );
      await running.return(undefined);
      expect(parts.findings()).toEqual([]);
    },
  );

  test('for want of credits is told once, and again after the next ones are used up', async () => {
    const parts = openWallet();
    const refused = () =>
      expect(runAll(parts, chat(500), answer(1))).rejects.toMatchObject({ code: 'insufficient_credits' });
    await refused();
    await refused();
    expect(parts.eventsOf('usage.limit_reached')).toHaveLength(1);
    parts.credit(costOf(1));
    await runAll(parts, chat(500), answer(1));
    await refused();
    expect(parts.eventsOf('usage.limit_reached').map((data) => (data as { kind: string }).kind)).toEqual([
      'credits',
      'credits',
    ]);
  });
});

describe('what is told of a chat', () => {
  test('is its beginning, and its end with what it used and cost', async () => {
    const parts = openWithCredit();
    const request = chat(500);
    await runAll(parts, request, answer(20));
    expect(parts.eventsOf('chat.started')).toEqual([
      { request_id: request.requestId, model: 'svc-chat-v1', stream: true },
    ]);
    expect(parts.eventsOf('chat.completed')).toEqual([
      {
        request_id: request.requestId,
        model: 'svc-chat-v1',
        outcome: 'finished',
        finish_reason: null,
        usage: { prompt_tokens: PROMPT, completion_tokens: 20, total_tokens: PROMPT + 20 },
        cost: costOf(20),
      },
    ]);
  });

  test('is counted in the minute as used, not as estimated', async () => {
    const parts = openWithCredit();
    await runAll(parts, chat(500), answer(20));
    expect(parts.rates.status(ACCOUNT)).toMatchObject({
      rpm: { remaining: 99 },
      tpm: { remaining: 1_000_000 - PROMPT - 20 },
    });
  });
});
