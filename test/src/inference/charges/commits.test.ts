import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openStoreToRead } from '../../../../src/store/store.ts';
import { answer, chat, openWithCredit, runAll } from '../../../helpers/accounts/metering.ts';
import { ACCOUNT } from '../../../helpers/accounts/wallet.ts';
import { temporaryFolder } from '../../../helpers/temporary.ts';

test('the hold of a request that comes alone is committed before anything else happens, and so is its charge', async () => {
  const { ask, holds } = open();
  const request = ask();
  const answering = request.next();
  expect(holds()).toEqual(['open']);
  await answering;
  await nextTurn();
  let turns = 0;
  setImmediate(() => (turns += 1));
  await request.return(undefined);
  expect(turns).toBe(0);
  expect(holds()).toEqual(['settled']);
});

test('requests that come together share the commits of their holds and of their charges', async () => {
  const { ask, holds } = open();
  const requests = [ask(), ask(), ask()];
  const answers = requests.map((request) => request.next());
  expect(holds()).toEqual(['open']);
  await answers[1];
  expect(holds()).toEqual(['open', 'open', 'open']);
  await Promise.all(answers);
  const ends = requests.map((request) => request.return(undefined));
  expect(holds()).toEqual(['open', 'open', 'open']);
  await Promise.all(ends);
  expect(holds()).toEqual(['settled', 'settled', 'settled']);
});

test('a request that comes while another runs shares its commit, and so does the one after it', async () => {
  const { ask, holds } = open();
  const first = ask();
  await first.next();
  for (const before of [1, 2]) {
    await nextTurn();
    const answering = ask().next();
    expect(holds()).toHaveLength(before);
    await answering;
  }
});

test('a request comes alone again after others shared, were refused, failed or were cancelled', async () => {
  const { ask, holds, parts } = open();
  await Promise.all([ask(), ask()].map((request) => request.next().then(() => request.return(undefined))));
  parts.tiers.set(ACCOUNT, 'enterprise', { monthlyTokens: 1 });
  await expect(runAll(parts, chat(8), answer(1))).rejects.toMatchObject({ code: 'insufficient_quota' });
  parts.tiers.set(ACCOUNT, 'enterprise', { tpm: 1e12 });
  const dear = chat(8, { promptTokens: 1e9 });
  await expect(runAll(parts, dear, answer(1))).rejects.toMatchObject({ code: 'insufficient_credits' });
  const failing = parts.metered.once(chat(8), () => Promise.reject(new Error('the engine broke')));
  await expect(failing).rejects.toThrow('the engine broke');
  const attempt = { artifact: 'a', start: () => true, handsOver: () => true };
  const cancelled = parts.metered.once({ ...chat(8), attempt }, () => Promise.reject(new Error('full')));
  await expect(cancelled).rejects.toThrow('full');
  await nextTurn();
  await runAll(parts, chat(8), answer(1));
  await nextTurn();
  const before = holds().length;
  const answering = ask().next();
  expect(holds()).toHaveLength(before + 1);
  await answering;
});

function open() {
  const path = join(temporaryFolder(), 'askd.db');
  const parts = openWithCredit({ path });
  const reader = openStoreToRead(path);
  onTestFinished(() => reader.close());
  return {
    parts,
    /** A request whose first token waits to be asked for. */
    ask: () => parts.metered.run(chat(8), answer(8)),
    /** As another connection sees them, which is what a crash leaves. */
    holds: (): string[] =>
      reader
        .prepare<{ state: string }>('SELECT state FROM holds ORDER BY created_at, id')
        .all()
        .map(({ state }) => state),
  };
}
