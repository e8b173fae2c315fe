import type { Clock } from '../base/clock.ts';
import { Failure } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { toNano } from '../base/money.ts';
import type { Store } from '../store/store.ts';
import type { Wallet } from './wallet.ts';

const DESCRIPTION = 'Set by a test';

/**
 * Brings a wallet to a given balance by a bonus, or by a request that spent the rest, so that the ledger stays
 * correct.
 */
export function createSetBalance({ store, wallet, clock }: { store: Store; wallet: Wallet; clock: Clock }) {
  function spend(accountId: string, costN: number): void {
    const requestId = newId('req', clock.now());
    const hold = wallet.holds.open(accountId, requestId, { leastN: costN, wantN: costN });
    wallet.holds.settle(hold, { costN, description: DESCRIPTION });
    store.prepare(INSERT_USAGE).run({ requestId, accountId, costN, now: clock.now() });
  }

  /** Automatic top-ups would undo it. */
  function turnTopupsOff(accountId: string): void {
    const { autoTopup } = wallet.settings.get(accountId);
    wallet.settings.put(accountId, { autoTopup: { ...autoTopup, enabled: false } });
  }

  return (accountId: string, credits: number): void =>
    store.transaction(() => {
      const { balance, held } = wallet.balance(accountId);
      const [targetN, balanceN] = [toNano(credits), toNano(balance)];
      if (targetN < toNano(held)) throw isHeld(held);
      turnTopupsOff(accountId);
      if (targetN < balanceN) return spend(accountId, balanceN - targetN);
      if (targetN === balanceN) return;
      const reference = { refType: 'test', refId: newId('test', clock.now()) };
      const amountN = targetN - balanceN;
      wallet.credit({ accountId, type: 'bonus', amountN, description: DESCRIPTION, ...reference });
    });
}

function isHeld(held: number): Failure {
  const message = `Running requests hold ${held} credits, so the balance cannot be less.`;
  return new Failure('invalid_value', message, { param: 'balance' });
}

const INSERT_USAGE = `
  INSERT INTO usage(id, account_id, task, model, artifact, prompt_tokens, cached_tokens, completion_tokens, outcome,
    started_at, duration_ms, cost_n)
  VALUES(@requestId, @accountId, 'test', 'test', 'test', 0, 0, 0, 'finished', @now, 0, @costN)`;
