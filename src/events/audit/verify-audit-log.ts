import type { Store } from '../../store/store.ts';
import { hashOf, NO_HASH, PRUNE, type AuditRow } from './audit-row.ts';

export type AuditVerification = {
  records: number;
  first: number | null;
  last: number | null;
  /** The hash of the last record: stored elsewhere, it later proves that the log up to there is unchanged. */
  hash: string | null;
  findings: string[];
};

const FINDINGS_MAX = 20;
const TRIGGERS = ['audit_log_checkpoint', 'audit_log_next', 'audit_log_no_delete', 'audit_log_no_update'];

/** Reads the whole log and finds records that were changed, removed or added in the file. */
export function verifyAuditLog(store: Pick<Store, 'prepare'>): AuditVerification {
  const findings: string[] = [];
  const find = (text: string): void => void (findings.length < FINDINGS_MAX && findings.push(text));
  const checkpoint = checkpointIn(store);
  let records = 0;
  let first: AuditRow | undefined;
  let last: AuditRow | undefined;
  for (const row of rowsOf(store)) {
    records += 1;
    first ??= row;
    checkRow(row, last, checkpoint, find);
    last = row;
  }
  checkEnds({ first, last, checkpoint, numbered: numberedIn(store) }, find);
  for (const trigger of missingTriggers(store)) find(`the trigger ${trigger} is missing`);
  const hash = last?.hash.toString('hex') ?? null;
  return { records, first: first?.seq ?? null, last: last?.seq ?? null, hash, findings };
}

type Checkpoint = { seq: number; hash: Buffer };
type Find = (text: string) => void;

function checkRow(row: AuditRow, previous: AuditRow | undefined, checkpoint: Checkpoint, find: Find): void {
  if (previous && row.seq !== previous.seq + 1) find(`the records after ${previous.seq} are missing`);
  if (row.seq === checkpoint.seq && !row.hash.equals(checkpoint.hash))
    find(`record ${row.seq} is not the one that the checkpoint names`);
  const before =
    previous?.hash ??
    (row.seq === checkpoint.seq + 1 ? checkpoint.hash : row.seq === 1 ? NO_HASH : undefined);
  if (before && !hashOf(before, row).equals(row.hash)) find(`record ${row.seq} was changed`);
}

type Ends = {
  first: AuditRow | undefined;
  last: AuditRow | undefined;
  checkpoint: Checkpoint;
  numbered: number;
};

function checkEnds({ first, last, checkpoint, numbered }: Ends, find: Find): void {
  if (first && first.seq > checkpoint.seq + 1) find(`the records before ${first.seq} are missing`);
  if (numbered > (last?.seq ?? 0)) find(`the records after ${last?.seq ?? 0} are missing`);
}

function checkpointIn(store: Pick<Store, 'prepare'>): Checkpoint {
  const row = store
    .prepare<AuditRow>('SELECT * FROM audit_log WHERE action = ? ORDER BY seq DESC LIMIT 1')
    .get(PRUNE);
  if (!row) return { seq: 0, hash: NO_HASH };
  const { hash } = JSON.parse(row.after ?? '{}') as { hash?: string };
  return { seq: Number(row.object), hash: Buffer.from(hash ?? '', 'hex') };
}

function rowsOf(store: Pick<Store, 'prepare'>): IterableIterator<AuditRow> {
  return store.prepare<AuditRow>('SELECT * FROM audit_log ORDER BY seq').iterate();
}

/** How many records there have ever been, which SQLite counts itself. */
function numberedIn(store: Pick<Store, 'prepare'>): number {
  return (
    store.prepare<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'audit_log'").get()?.seq ?? 0
  );
}

function missingTriggers(store: Pick<Store, 'prepare'>): string[] {
  const there = store
    .prepare<{ name: string }>(
      "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'audit_log'",
    )
    .all()
    .map(({ name }) => name);
  return TRIGGERS.filter((name) => !there.includes(name));
}
