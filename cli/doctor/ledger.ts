import { findDaemon } from '../daemon-control/process.ts';
import { formatCount } from '../output/format.ts';
import type { Check } from './check.ts';

/** Only on request, since it reads every transaction. */
export const checkLedger: Check = async ({ connect, options: { host }, paths, signal }, { ledger }) => {
  if (!ledger) return [];
  if (host === undefined && (await findDaemon({ paths, signal })) === undefined) {
    const message = 'the ledger was not checked: the daemon is not running';
    return [{ check: 'ledger', level: 'warning', message, fix: 'askd up' }];
  }
  const client = await connect();
  const { transactions, open_holds: openHolds, findings } = await client.auditLedger();
  if (findings.length === 0) {
    const counts = `${formatCount(transactions, 'transaction')} and ${formatCount(openHolds, 'open hold')}`;
    return [{ check: 'ledger', level: 'ok', message: `${counts}; every balance is correct` }];
  }
  return findings.map(({ invariant, detail }) => ({
    check: 'ledger',
    level: 'problem' as const,
    message: `violated: ${invariant} (${detail})`,
    fix: 'do not edit the database; restore it from a backup',
  }));
};
