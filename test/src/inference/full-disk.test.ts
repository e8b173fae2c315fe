import { describe, expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../../src/store/store.ts';
import { withFullDisk } from '../../helpers/full-disk.ts';
import { answer, chat, costOf, runAll, state } from '../../helpers/accounts/metering.ts';
import { ACCOUNT, walletOver } from '../../helpers/accounts/wallet.ts';

function openOnDisk() {
  const opened = openStore(':memory:');
  onTestFinished(() => opened.close());
  const disk = withFullDisk(opened);
  const parts = walletOver(disk.store, {});
  parts.credit(1);
  return { ...parts, ...disk };
}

describe('an answer during which the disk becomes full', () => {
  const fillsAt = (parts: ReturnType<typeof openOnDisk>, fill = parts.fill) => {
    const made = answer(20);
    return async function* (meter: Parameters<typeof made>[0]) {
      for await (const count of made(meter)) {
        if (count === 10) fill();
        yield count;
      }
    };
  };

  test('arrives whole, keeps its hold, and is charged once when there is room', async () => {
    const parts = openOnDisk();
    expect(await runAll(parts, chat(500), fillsAt(parts))).toBe(20);
    expect(state(parts)).toMatchObject({ hold: 'open', types: ['topup'], usage: undefined });
    expect(parts.wallet.balance(ACCOUNT).held).toBeGreaterThan(0);
    parts.deferred.retry();
    expect(state(parts)).toMatchObject({ hold: 'open' });
    parts.empty();
    parts.deferred.retry();
    parts.deferred.retry();
    expect(state(parts)).toMatchObject({
      spent: costOf(20),
      held: 0,
      hold: 'settled',
      types: ['usage', 'topup'],
      usage: { outcome: 'finished', completion_tokens: 20 },
    });
  });

  test('keeps its monthly tokens until they are written as used', async () => {
    const parts = openOnDisk();
    await runAll(parts, chat(500), fillsAt(parts));
    const { used } = parts.quota.status(ACCOUNT);
    expect(used).toBe(0);
    parts.empty();
    parts.deferred.retry();
    expect(parts.quota.status(ACCOUNT)).toMatchObject({ used: 30 });
  });

  test('keeps what it reserved also when it is the commit that the disk refuses, and is charged once', async () => {
    const parts = openOnDisk();
    parts.tiers.set(ACCOUNT, 'enterprise', { monthlyTokens: 150 });
    expect(await runAll(parts, chat(50), fillsAt(parts, parts.fillAtCommit))).toBe(20);
    expect(state(parts)).toMatchObject({ hold: 'open', types: ['topup'], usage: undefined });
    expect(roomFor(parts, 91)).toBe(false);
    expect(roomFor(parts, 90)).toBe(true);
    parts.empty();
    parts.deferred.retry();
    parts.deferred.retry();
    expect(state(parts)).toMatchObject({ spent: costOf(20), held: 0, types: ['usage', 'topup'] });
    expect(roomFor(parts, 121)).toBe(false);
    expect(roomFor(parts, 120)).toBe(true);
  });
});

function roomFor({ quota }: ReturnType<typeof openOnDisk>, tokens: number): boolean {
  try {
    quota.release(quota.reserve(ACCOUNT, { leastTokens: tokens, wantTokens: tokens }));
    return true;
  } catch {
    return false;
  }
}

test('nothing new begins on a full disk', async () => {
  const parts = openOnDisk();
  parts.fill();
  await expect(runAll(parts, chat(500), answer(1))).rejects.toMatchObject({ code: 'SQLITE_FULL' });
  expect(parts.deferred.count()).toBe(0);
  expect(state(parts)).toMatchObject({ held: 0, spent: 0 });
});
