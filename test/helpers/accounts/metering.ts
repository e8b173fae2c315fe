import { expect } from 'vitest';
import type { Meter, MeteredRequest } from '../../../src/inference/metered.ts';
import { ACCOUNT, openWallet, type TestWallet } from './wallet.ts';

/** At 100 nano-credits for a prompt token and 200 for an answer token. */
export const PROMPT = 10;
export const costOf = (completionTokens: number) => (PROMPT * 100 + completionTokens * 200) / 1e9;

let serial = 0;

export const newRequestId = () => `req_${(serial += 1)}`;

export function chat(completionTokensMax: number, counts = { promptTokens: PROMPT }): MeteredRequest {
  return {
    requestId: newRequestId(),
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

/** A model's work: the prompt, then a token at a time while allowed, then what `end` says. */
export function answer(
  tokens: number,
  end: (meter: Meter) => void = (meter) => (meter.outcome = 'finished'),
) {
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

export async function runAll(
  { metered }: TestWallet,
  request: MeteredRequest,
  work: ReturnType<typeof answer>,
) {
  let count = 0;
  for await (const at of metered.run(request, work)) count = at;
  return count;
}

export function fails(meter: Meter): void {
  meter.outcome = 'failed';
  throw new Error('the engine broke');
}

export function leaves(meter: Meter): void {
  meter.outcome = 'disconnected';
}

export function state({ store, wallet, findings }: TestWallet) {
  expect(findings()).toEqual([]);
  const { balance, held } = wallet.balance(ACCOUNT);
  const hold = store.prepare<{ state: string }>('SELECT state FROM holds').all().at(-1);
  const usage = store.prepare<Record<string, unknown>>('SELECT * FROM usage').all().at(-1);
  const types = wallet.transactions(ACCOUNT).map(({ type }) => type);
  return { spent: Number((1 - balance).toFixed(9)), held, hold: hold?.state, usage, types };
}

export function openWithCredit(options: Parameters<typeof openWallet>[0] = {}) {
  const parts = openWallet(options);
  parts.credit(1);
  return parts;
}
