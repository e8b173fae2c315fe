import { toIso, type Clock } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import type { Store } from '../store/store.ts';

export type Notices = ReturnType<typeof createNotices>;

export type Notice = { id: string; kind: string; message: string; created_at: string };

const LISTED_MAX = 20;

/** What the owner should know, shown once for each kind and period by `askd status` and the dashboard. */
export function createNotices({ store, clock }: { store: Store; clock: Clock }) {
  return {
    /** True the first time. For use inside the transaction of the change. */
    once(accountId: string, notice: { kind: string; period: string; message: string }): boolean {
      const now = clock.now();
      const { changes } = store
        .prepare(INSERT_ONCE)
        .run({ id: newId('note', now), accountId, ...notice, createdAt: now });
      return changes === 1;
    },

    list(accountId: string): Notice[] {
      const rows = store.prepare<Notice & { created_at: number }>(LIST).all(accountId, LISTED_MAX);
      return rows.map((row) => ({ ...row, created_at: toIso(row.created_at) }));
    },
  };
}

const INSERT_ONCE = `
  INSERT INTO notices(id, account_id, kind, period, message, created_at)
  VALUES(@id, @accountId, @kind, @period, @message, @createdAt) ON CONFLICT DO NOTHING`;

const LIST = `
  SELECT id, kind, message, created_at FROM notices WHERE account_id = ? ORDER BY created_at DESC, rowid DESC LIMIT ?`;
