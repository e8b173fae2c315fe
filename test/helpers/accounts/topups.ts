import { onTestFinished } from 'vitest';
import { createAuditLog } from '../../../src/events/audit/audit-log.ts';
import { createEvents } from '../../../src/events/events.ts';
import { createNotices } from '../../../src/events/notices.ts';
import { toNano } from '../../../src/base/money.ts';
import { openStore } from '../../../src/store/store.ts';
import { createAutoTopups } from '../../../src/wallet/auto-topup.ts';
import { createCheckouts } from '../../../src/wallet/checkouts.ts';
import { createLowBalanceAlert } from '../../../src/wallet/low-balance.ts';
import { createMails, type SendMail } from '../../../src/wallet/mails.ts';
import type { Provider } from '../../../src/wallet/provider.ts';
import { createLocalProvider } from '../../../src/wallet/providers/local.ts';
import { createWallet } from '../../../src/wallet/wallet.ts';
import { settableClock } from '../clock.ts';

export const ACCOUNT = 'acct_local';

type Options = { provider?: Partial<Provider>; monthlyMax?: number; send?: SendMail; path?: string };

/** Every way in which credits are added, over a real database. */
export function openTopups({ provider: own = {}, monthlyMax = 1000, send, path = ':memory:' }: Options = {}) {
  const clock = settableClock();
  const store = openStore(path);
  const events = createEvents({ store, clock });
  const notices = createNotices({ store, clock });
  const wallet = createWallet({ store, events, notices, clock, bootId: 'boot' });
  const provider = { ...createLocalProvider({ rootUrl: () => 'http://127.0.0.1:1' }), ...own };
  const auditLog = createAuditLog({ store, clock, days: 400 });
  const checkouts = createCheckouts({ store, wallet, auditLog, clock, provider });
  const failures: unknown[] = [];
  const onFailure = (error: unknown) => void failures.push(error);
  const mails = createMails({ store, clock, send, onFailure });
  wallet.watch(createLowBalanceAlert({ store, settings: wallet.settings, notices, mails, clock }));
  const balanceN = () => toNano(wallet.balance(ACCOUNT).balance);
  const { settings } = wallet;
  const autoTopups = createAutoTopups({
    ...{ store, checkouts, settings, notices, auditLog, provider, clock, monthlyMax, balanceN, onFailure },
  });
  onTestFinished(() => {
    autoTopups.close();
    mails.close();
    store.close();
  });

  let spent = 0;
  /** Charges this much, as a request does. */
  function spend(credits: number): void {
    spent += 1;
    const amountN = toNano(credits);
    store.transaction(() => {
      const hold = wallet.holds.open(ACCOUNT, `req_${spent}`, { leastN: amountN, wantN: amountN });
      wallet.holds.settle(hold, { costN: amountN, description: 'A request' });
    });
  }

  function give(credits: number): void {
    spent += 1;
    const reference = { refType: 'test', refId: String(spent) };
    store.transaction(() =>
      wallet.credit({
        accountId: ACCOUNT,
        type: 'bonus',
        amountN: toNano(credits),
        description: 'x',
        ...reference,
      }),
    );
  }

  const balance = () => wallet.balance(ACCOUNT).balance;
  const noticeKinds = () => notices.list(ACCOUNT).map(({ kind }) => kind);
  const audited = () => auditLog.list({ limit: 100 }).records;
  return {
    clock,
    audited,
    store,
    wallet,
    settings,
    checkouts,
    autoTopups,
    mails,
    failures,
    spend,
    give,
    balance,
    noticeKinds,
  };
}
