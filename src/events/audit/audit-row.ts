import { createHash } from 'node:crypto';

/** The action of the record that marks up to where older records were deleted. */
export const PRUNE = 'audit_log.prune';

export type Outcome = 'started' | 'succeeded' | 'failed' | 'refused';

/** A stored record, without its hash. */
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

/** The hash that the very first record continues. */
export const NO_HASH = Buffer.alloc(32);

/**
 * Each record continues the hash of the one before, so none can be changed or removed without changing all later
 * ones.
 */
export function hashOf(previous: Buffer, row: AuditFields): Buffer {
  const { seq, created_at, account_id, actor, actor_id, actor_name, client, address } = row;
  const { request_id, action, object, before, after, outcome, code } = row;
  const by = [account_id, actor, actor_id, actor_name, client, address, request_id];
  return createHash('sha256')
    .update(previous)
    .update(JSON.stringify([seq, created_at, ...by, action, object, before, after, outcome, code]))
    .digest();
}
