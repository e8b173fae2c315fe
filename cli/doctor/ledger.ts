import { findDaemon } from '../daemon-control/process.ts';
import { formatCount } from '../output/format.ts';
import type { Check } from './check.ts';

/** Only when asked for, since it reads every transaction that there is. */
export const checkLedger: Check = async ({ connect, options: { host }, paths, signal }, { ledger }) => {
  if (!ledger) return [];
  if (host === undefined && (await findDaemon({ paths, signal })) === undefined) {
    const message = 'the ledger was not looked at: the daemon is not running';
    return [{ check: 'ledger', level: 'warning', message, fix: 'askd up' }];
  }
  const client = await connect();
  const { transactions, open_holds: openHolds, findings } = await client.auditLedger();
  if (findings.length === 0) {
    const counts = `${formatCount(transactions, 'transaction')} and ${formatCount(openHolds, 'open hold')}`;
    return [{ check: 'ledger', level: 'ok', message: `${counts}, and every sum is right` }];
  }
  return findings.map(({ invariant, detail }) => ({
    check: 'ledger',
    level: 'problem' as const,
    message: `not true: ${invariant} (${detail})`,
    fix: 'keep the database as it is, and restore it from a backup',
  }));
};
