import { createHash } from 'node:crypto';

/** The action of a record that says up to where older records were deleted. */
export const PRUNE = 'audit_log.prune';

export type Outcome = 'started' | 'succeeded' | 'failed' | 'refused';

/** A record as it is stored, without its hash. */
export type AuditFields = {
  seq: number;
  created_at: number;
  account_id: string | null;
  actor: string;
  actor_id: string | null;
  actor_name: string | null;
  client: string | null;
  address: string | null;
  request_id: string | null;
  action: string;
  object: string | null;
  before: string | null;
  after: string | null;
  outcome: Outcome;
  code: string | null;
};
export type AuditRow = AuditFields & { hash: Buffer };

/** What the first record of all continues. */
export const NO_HASH = Buffer.alloc(32);

/** Each record continues the hash of the one before it, so none can be changed or removed without all that follow. */
export function hashOf(previous: Buffer, row: AuditFields): Buffer {
  const { seq, created_at, account_id, actor, actor_id, actor_name, client, address } = row;
  const { request_id, action, object, before, after, outcome, code } = row;
  const by = [account_id, actor, actor_id, actor_name, client, address, request_id];
  return createHash('sha256')
    .update(previous)
    .update(JSON.stringify([seq, created_at, ...by, action, object, before, after, outcome, code]))
    .digest();
}
