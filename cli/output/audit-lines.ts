import type { AuditQuery, AuditRecord } from '../../src/api/account/audit.ts';
import { toCsvCell } from '../../src/base/csv.ts';
import type { Client } from '../client/client.ts';

const COLUMNS: Readonly<Record<string, (record: AuditRecord) => unknown>> = {
  seq: ({ seq }) => seq,
  created_at: (record) => record.created_at,
  action: ({ action }) => action,
  object: ({ object }) => object,
  outcome: ({ outcome }) => outcome,
  code: ({ code }) => code,
  actor: ({ actor }) => actor.kind,
  actor_id: ({ actor }) => actor.id,
  actor_name: ({ actor }) => actor.name,
  client: ({ client }) => client,
  address: ({ address }) => address,
  account: ({ account }) => account,
  request_id: (record) => record.request_id,
  before: ({ before }) => before,
  after: ({ after }) => after,
  hash: ({ hash }) => hash,
};

/** All matching records, newest first. */
export async function* auditRecords(client: Client, query: AuditQuery): AsyncGenerator<AuditRecord> {
  let before: number | undefined;
  for (;;) {
    const page = await client.audit.list({ ...query, limit: 500, ...(before !== undefined && { before }) });
    yield* page.records;
    before = page.records.at(-1)?.seq;
    if (!page.has_more) return;
  }
}

export const CSV_HEADER = Object.keys(COLUMNS).join(',');

export function toCsvLine(record: AuditRecord): string {
  return Object.values(COLUMNS)
    .map((valueOf) => toCsvCell(textOf(valueOf(record))))
    .join(',');
}

function textOf(value: unknown): string | number {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' || typeof value === 'number' ? value : JSON.stringify(value);
}
