import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createAuditLog, type AuditEntry } from '../../../../src/events/audit/audit-log.ts';
import { verifyAuditLog } from '../../../../src/events/audit/verify-audit-log.ts';
import { openSqlite } from '../../../../src/store/sqlite.ts';
import { openStore } from '../../../../src/store/store.ts';
import { temporaryFolder } from '../../../helpers/temporary.ts';

const DAY_MS = 86_400_000;

function openAuditLog({ records = 0, days = 400 } = {}) {
  const path = join(temporaryFolder(), 'askd.db');
  const store = openStore(path);
  onTestFinished(() => store.close());
  let now = Date.UTC(2026, 0, 1);
  const auditLog = createAuditLog({ store, clock: { now: () => now }, days });
  const record = (entry: Partial<AuditEntry> = {}) =>
    auditLog.record({
      ...{ action: 'api_key.create', outcome: 'succeeded', object: 'key_1', requestId: 'req_1' },
      actor: { kind: 'session', id: 'sess_1', name: 'Firefox' },
      ...entry,
    });
  for (let index = 1; index <= records; index++)
    record({ object: `key_${index}`, requestId: `req_${index}` });
  /** An edit of the file by somebody who knows SQL: without the triggers, which are restored afterwards. */
  function edit(sql: string): void {
    const database = openSqlite(path);
    const triggers = database
      .prepare<[], { name: string; sql: string }>(
        "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'audit_log'",
      )
      .all();
    for (const { name } of triggers) database.exec(`DROP TRIGGER ${name}`);
    database.exec(sql);
    for (const trigger of triggers) database.exec(trigger.sql);
    database.close();
  }
  return {
    path,
    store,
    auditLog,
    record,
    edit,
    pass: (ms: number) => void (now += ms),
    verify: () => verifyAuditLog(store),
  };
}

test('records form a chain, and the newest comes first', () => {
  const { auditLog, record, verify } = openAuditLog();
  record();
  record({ action: 'api_key.revoke', before: { name: 'app' }, client: 'Firefox', address: '127.0.0.1' });
  const { records, has_more: hasMore } = auditLog.list({ limit: 10 });
  expect(records).toMatchObject([
    {
      ...{ seq: 2, created_at: '2026-01-01T00:00:00.000Z', action: 'api_key.revoke', object: 'key_1' },
      ...{ actor: { kind: 'session', id: 'sess_1', name: 'Firefox' }, client: 'Firefox' },
      ...{ address: '127.0.0.1', before: { name: 'app' }, after: null, outcome: 'succeeded', code: null },
    },
    { seq: 1, action: 'api_key.create' },
  ]);
  expect(hasMore).toBe(false);
  expect(verify()).toEqual({ records: 2, first: 1, last: 2, hash: records[0]?.hash, findings: [] });
});

test.each([
  ["UPDATE audit_log SET outcome = 'failed' WHERE seq = 1", 'never changed'],
  ['DELETE FROM audit_log WHERE seq = 3', 'are kept'],
  ['DELETE FROM audit_log', 'are kept'],
  ['INSERT OR REPLACE INTO audit_log SELECT * FROM audit_log WHERE seq = 2', 'not the next record'],
  [
    `INSERT INTO audit_log(seq, created_at, actor, action, object, after, outcome, hash)
     VALUES(4, 1, 'daemon', 'audit_log.prune', '3', '{"hash":"00"}', 'succeeded', zeroblob(32))`,
    'does not match',
  ],
])('the database refuses %s', (sql, reason) => {
  const { store, verify } = openAuditLog({ records: 3 });
  expect(() => store.prepare(sql).run()).toThrow(reason);
  expect(verify()).toMatchObject({ records: 3, findings: [] });
});

test.each([
  ["UPDATE audit_log SET actor_name = 'Chrome' WHERE seq = 2", ['record 2 was changed']],
  ['UPDATE audit_log SET created_at = created_at - 1 WHERE seq = 1', ['record 1 was changed']],
  ["UPDATE audit_log SET after = '{}' WHERE seq = 4", ['record 4 was changed']],
  [
    'UPDATE audit_log SET hash = randomblob(32) WHERE seq = 2',
    ['record 2 was changed', 'record 3 was changed'],
  ],
  ['DELETE FROM audit_log WHERE seq = 3', ['the records after 2 are missing', 'record 4 was changed']],
  ['DELETE FROM audit_log WHERE seq = 1', ['the records before 2 are missing']],
  ['DELETE FROM audit_log WHERE seq > 2', ['the records after 2 are missing']],
  ['DELETE FROM audit_log', ['the records after 0 are missing']],
])('%s in the file is found', (sql, findings) => {
  const { edit, verify } = openAuditLog({ records: 4 });
  edit(sql);
  expect(verify().findings).toEqual(findings);
});

test('a missing trigger is found', () => {
  const { store, verify } = openAuditLog({ records: 1 });
  store.prepare('DROP TRIGGER audit_log_no_update').run();
  expect(verify().findings).toEqual(['the trigger audit_log_no_update is missing']);
});

test('old records are deleted behind a checkpoint, from which the chain continues', () => {
  const { auditLog, record, pass, verify, edit } = openAuditLog({ records: 5, days: 30 });
  pass(30 * DAY_MS);
  record({ object: 'key_6' });
  expect(auditLog.prune()).toBe(false);
  expect(verify().records).toBe(6);
  pass(DAY_MS + 1);
  const fifth = auditLog.list({ object: 'key_5', limit: 1 }).records[0]?.hash;
  auditLog.prune();
  expect(auditLog.list({ limit: 10 }).records).toMatchObject([
    {
      seq: 7,
      action: 'audit_log.prune',
      object: '5',
      actor: { kind: 'daemon' },
      after: { records: 5, hash: fifth },
    },
    { seq: 6, object: 'key_6' },
  ]);
  expect(verify()).toMatchObject({ records: 2, first: 6, last: 7, findings: [] });
  pass(31 * DAY_MS);
  record({ object: 'key_8' });
  auditLog.prune();
  expect(verify()).toMatchObject({ first: 8, last: 9, findings: [] });
  edit("UPDATE audit_log SET object = 'key_9' WHERE seq = 8");
  expect(verify().findings).toEqual(['record 8 was changed']);
});

test('pruning many records takes several rounds, each with a chain that holds', () => {
  const { auditLog, store, record, pass, verify } = openAuditLog({ days: 1 });
  store.transaction(() => {
    for (let index = 0; index < 4_500; index++) record();
  });
  pass(3 * DAY_MS);
  record();
  const rounds = [];
  for (let more = true; more;) {
    more = auditLog.prune();
    rounds.push(verify().records);
    expect(verify().findings).toEqual([]);
  }
  expect(rounds).toEqual([2_502, 503, 4]);
});

test('the filters are time, action or kind of object, actor, object and outcome', () => {
  const { auditLog, record, pass } = openAuditLog();
  record({ action: 'daemon.start', actor: { kind: 'daemon' }, object: 'boot' });
  pass(60_000);
  record({ action: 'api_key.create', object: 'key_1', actor: { kind: 'root_token' } });
  record({ action: 'api_key.revoke', object: 'key_2' });
  record({ action: 'session.login', object: undefined, outcome: 'failed', code: 'login_code_invalid' });
  const seqs = (query: object) => auditLog.list({ limit: 10, ...query }).records.map(({ seq }) => seq);
  expect(seqs({ action: 'api_key' })).toEqual([3, 2]);
  expect(seqs({ action: 'api_key.revoke' })).toEqual([3]);
  expect(seqs({ action: 'api' })).toEqual([]);
  expect(seqs({ by: 'root_token' })).toEqual([2]);
  expect(seqs({ by: 'sess_1' })).toEqual([4, 3]);
  expect(seqs({ by: 'Firefox' })).toEqual([4, 3]);
  expect(seqs({ object: 'key_2' })).toEqual([3]);
  expect(seqs({ outcome: 'failed' })).toEqual([4]);
  expect(seqs({ since: Date.UTC(2026, 0, 1, 0, 1) })).toEqual([4, 3, 2]);
  expect(seqs({ until: Date.UTC(2026, 0, 1, 0, 1) })).toEqual([1]);
  expect(seqs({ before: 3 })).toEqual([2, 1]);
  expect(seqs({ after: 2 })).toEqual([3, 4]);
  expect(auditLog.list({ limit: 2 })).toMatchObject({ records: [{ seq: 4 }, { seq: 3 }], has_more: true });
});

test('the start of an action is listed until its end is recorded', () => {
  const { auditLog, record } = openAuditLog();
  record({ action: 'model.load', outcome: 'started', requestId: 'req_9' });
  expect(auditLog.list({ limit: 10 }).records).toMatchObject([{ seq: 1, outcome: 'started' }]);
  record({ action: 'model.load', outcome: 'succeeded', requestId: 'req_9' });
  expect(auditLog.list({ limit: 10 }).records).toMatchObject([{ seq: 2, outcome: 'succeeded' }]);
});

test('a secret pasted in place of a name is not kept', () => {
  const { store, record } = openAuditLog();
  const secret = `ask_${'x'.repeat(43)}`;
  record({
    ...{ object: secret, client: `curl ${secret}` },
    actor: { kind: 'api_key', id: secret, name: secret },
    before: { name: secret, url: 'https://user:hunter2@example.com/' },
    after: { name: secret, text: 'a@b' },
  });
  const row = store.prepare<Record<string, unknown>>('SELECT * FROM audit_log').get();
  expect(JSON.stringify(row)).not.toContain('xxxx');
  expect(row).toMatchObject({
    object: 'ask_[redacted]',
    before: '{"name":"ask_[redacted]","url":"https://example.com/"}',
    after: '{"name":"ask_[redacted]","text":"a@b"}',
  });
});

test('a record that is rolled back with its change leaves no gap in the chain', () => {
  const { store, record, verify } = openAuditLog({ records: 1 });
  expect(() =>
    store.transaction(() => {
      record();
      throw new Error('the change failed');
    }),
  ).toThrow('the change failed');
  record();
  expect(verify()).toMatchObject({ records: 2, last: 2, findings: [] });
});
