import { describe, expect, test } from 'vitest';
import type { MeteredRequest } from '../../../src/inference/metered.ts';
import { ACCOUNT } from '../../helpers/accounts/wallet.ts';
import {
  answer,
  chat,
  costOf,
  fails,
  leaves,
  newRequestId,
  openWithCredit,
  PROMPT,
  runAll,
  state,
} from '../../helpers/accounts/metering.ts';

describe('every outcome closes the hold once:', () => {
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

  test('a finished answer without a token pays for its prompt', async () => {
    const parts = openWithCredit();
    await runAll(parts, chat(500), answer(0));
    expect(state(parts)).toMatchObject({ spent: costOf(0), hold: 'settled' });
  });

  test('a client that disconnects pays for what was generated up to then', async () => {
    const parts = openWithCredit();
    await runAll(parts, chat(500), answer(7, leaves));
    expect(state(parts)).toMatchObject({
      spent: costOf(7),
      hold: 'settled',
      usage: { outcome: 'disconnected' },
    });
  });

  test('a client that disconnects before the first token pays nothing', async () => {
    const parts = openWithCredit();
    await runAll(parts, chat(500), answer(0, leaves));
    expect(state(parts)).toMatchObject({ spent: 0, hold: 'released', types: ['topup'] });
    expect(state(parts).usage).toMatchObject({ outcome: 'disconnected', cost_n: 0, prompt_tokens: PROMPT });
  });

  test('a reader that stops reading closes it as well', async () => {
    const parts = openWithCredit();
    const events = parts.metered.run(chat(500), answer(400));
    await events.next();
    await events.next();
    expect(parts.wallet.balance(ACCOUNT).held).toBeGreaterThan(0);
    await events.return(undefined);
    expect(state(parts)).toMatchObject({ spent: costOf(2), held: 0, usage: { completion_tokens: 2 } });
  });

  test('an engine that fails before its first token costs nothing', async () => {
    const parts = openWithCredit();
    await expect(runAll(parts, chat(500), answer(0, fails))).rejects.toThrow('the engine broke');
    expect(state(parts)).toMatchObject({
      spent: 0,
      hold: 'released',
      usage: { outcome: 'failed', cost_n: 0 },
    });
  });

  test('an engine that fails later costs what it generated, and the transaction says so', async () => {
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

  test('and is visibly refunded if the owner chose so', async () => {
    const parts = openWithCredit({ refundFailed: true });
    await expect(runAll(parts, chat(500), answer(5, fails))).rejects.toThrow();
    expect(state(parts)).toMatchObject({ spent: 0, hold: 'settled', types: ['refund', 'usage', 'topup'] });
  });

  test('but a client that disconnected gets no refund', async () => {
    const parts = openWithCredit({ refundFailed: true });
    await runAll(parts, chat(500), answer(5, leaves));
    expect(state(parts)).toMatchObject({ spent: costOf(5), types: ['usage', 'topup'] });
  });

  test('a generator that was never started holds nothing', () => {
    const parts = openWithCredit();
    parts.metered.run(chat(500), answer(5));
    expect(parts.wallet.balance(ACCOUNT).held).toBe(0);
  });
});

describe('a whole answer', () => {
  const speech: MeteredRequest = { ...chat(0), model: 'svc-chat-v1', counts: { promptTokens: 100 } };
  const whole = () => ({ ...speech, requestId: newRequestId() });

  test('is charged when it is complete, and says what it cost', async () => {
    const parts = openWithCredit();
    const { result, costN } = await parts.metered.once(whole(), (meter) => {
      meter.promptTokens = 100;
      return Promise.resolve('done');
    });
    expect([result, costN]).toEqual(['done', 10_000]);
    expect(state(parts)).toMatchObject({ spent: 0.00001, hold: 'settled' });
  });

  test('that fails is charged for what was counted so far', async () => {
    const parts = openWithCredit();
    const broken = parts.metered.once(whole(), () => Promise.reject(new Error('broken')));
    await expect(broken).rejects.toThrow('broken');
    expect(state(parts)).toMatchObject({ spent: 0, hold: 'released', usage: { outcome: 'failed' } });
  });

  test('whose settlement fails is given back to every limit once', async () => {
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

describe('the events of a chat', () => {
  test('are its beginning, and its end with what it used and cost', async () => {
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

  test('are counted in the minute as used, not as estimated', async () => {
    const parts = openWithCredit();
    await runAll(parts, chat(500), answer(20));
    expect(parts.rates.status(ACCOUNT)).toMatchObject({
      rpm: { remaining: 99 },
      tpm: { remaining: 1_000_000 - PROMPT - 20 },
    });
  });
});
