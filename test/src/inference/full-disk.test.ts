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
  const fillsAt = (parts: ReturnType<typeof openOnDisk>) => {
    const made = answer(20);
    return async function* (meter: Parameters<typeof made>[0]) {
      for await (const count of made(meter)) {
        if (count === 10) parts.fill();
        yield count;
      }
    };
  };

  test('comes whole, keeps its hold, and is charged once when there is room', async () => {
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

  test('keeps its tokens of the month until they are written as used', async () => {
    const parts = openOnDisk();
    await runAll(parts, chat(500), fillsAt(parts));
    const { used } = parts.quota.status(ACCOUNT);
    expect(used).toBe(0);
    parts.empty();
    parts.deferred.retry();
    expect(parts.quota.status(ACCOUNT)).toMatchObject({ used: 30 });
  });
});

test('nothing new begins on a full disk', async () => {
  const parts = openOnDisk();
  parts.fill();
  await expect(runAll(parts, chat(500), answer(1))).rejects.toMatchObject({ code: 'SQLITE_FULL' });
  expect(parts.deferred.count()).toBe(0);
  expect(state(parts)).toMatchObject({ held: 0, spent: 0 });
});
