import { onTestFinished, expect, test } from 'vitest';
import { createSessions } from '../../../src/access/sessions.ts';
import { openStore } from '../../../src/store/store.ts';
import { settableClock } from '../../helpers/clock.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const ACCOUNT = 'acct_local';

function openSessions() {
  const clock = settableClock();
  const store = openStore(':memory:');
  onTestFinished(() => store.close());
  return { clock, store, sessions: createSessions({ store, clock }) };
}

test('a session is known by its token, and the token is not in the database', () => {
  const { store, sessions } = openSessions();
  const { id, token } = sessions.open({ accountId: ACCOUNT, kind: 'browser', userAgent: 'A browser' });
  expect(sessions.verify(token)).toEqual({ id, accountId: ACCOUNT, kind: 'browser' });
  const row = store.prepare<Record<string, unknown>>('SELECT * FROM sessions').get();
  expect(
    Object.values(row ?? {})
      .map(String)
      .join(' '),
  ).not.toContain(token.slice(8));
});

test.each([
  ['nothing', ''],
  ['another word', 'x'],
  ['a token of another daemon', `asksess_${'A'.repeat(43)}`],
  ['SQL', `asksess_' OR 1=1 --`],
  ['a NUL byte', `asksess_\0${'A'.repeat(42)}`],
  ['a very long one', `asksess_${'A'.repeat(100_000)}`],
])('%s is not a token', (_what, token) => {
  const { sessions } = openSessions();
  sessions.open({ accountId: ACCOUNT, kind: 'browser' });
  expect(sessions.verify(token)).toBeUndefined();
});

test('an unused session ends after seven days, and use keeps it open', () => {
  const { clock, sessions } = openSessions();
  const idle = sessions.open({ accountId: ACCOUNT, kind: 'browser' });
  const used = sessions.open({ accountId: ACCOUNT, kind: 'browser' });
  clock.advance(4 * DAY_MS);
  expect(sessions.verify(used.token)).toBeDefined();
  clock.advance(3 * DAY_MS);
  expect(sessions.verify(idle.token)).toBeUndefined();
  expect(sessions.verify(used.token)).toBeDefined();
  expect(sessions.list(ACCOUNT).map(({ id }) => id)).toEqual([used.id]);
});

test('sessions are listed newest first, even those of the same millisecond', () => {
  const { sessions } = openSessions();
  const opened = Array.from({ length: 6 }, () => sessions.open({ accountId: ACCOUNT, kind: 'script' }).id);
  expect(sessions.list(ACCOUNT).map(({ id }) => id)).toEqual(opened.toReversed());
});

test('a session ends after thirty days, however much it is used', () => {
  const { clock, sessions } = openSessions();
  const { token } = sessions.open({ accountId: ACCOUNT, kind: 'script' });
  for (let day = 0; day < 29; day++) {
    clock.advance(DAY_MS);
    expect(sessions.verify(token)).toBeDefined();
  }
  const [record] = sessions.list(ACCOUNT);
  expect(Date.parse(record?.expires_at ?? '') - clock.now()).toBe(DAY_MS);
  clock.advance(DAY_MS);
  expect(sessions.verify(token)).toBeUndefined();
});

test('a clock that is set back neither ends a session nor lengthens it', () => {
  const { clock, sessions } = openSessions();
  const { token } = sessions.open({ accountId: ACCOUNT, kind: 'browser' });
  clock.advance(-DAY_MS);
  expect(sessions.verify(token)).toBeDefined();
  clock.advance(8 * DAY_MS);
  expect(sessions.verify(token)).toBeUndefined();
});

test('many uses within a minute cause one write', () => {
  const { clock, store, sessions } = openSessions();
  const { token } = sessions.open({ accountId: ACCOUNT, kind: 'browser' });
  const changes = () => store.prepare<{ n: number }>('SELECT total_changes() AS n').get()?.n ?? 0;
  const before = changes();
  for (let use = 0; use < 100; use++) sessions.verify(token);
  expect(changes()).toBe(before);
  clock.advance(60_000);
  for (let use = 0; use < 100; use++) sessions.verify(token);
  expect(changes()).toBe(before + 1);
});

test('a revoked session is gone at once, and only its own account can revoke it', () => {
  const { sessions } = openSessions();
  const { id, token } = sessions.open({ accountId: ACCOUNT, kind: 'browser' });
  expect(() => sessions.revoke('acct_other', id)).toThrow(/no session/);
  expect(() => sessions.revoke(ACCOUNT, "' OR 1=1 --")).toThrow(/no session/);
  expect(sessions.verify(token)).toBeDefined();
  sessions.revoke(ACCOUNT, id);
  expect(sessions.verify(token)).toBeUndefined();
  expect(() => sessions.revoke(ACCOUNT, id)).toThrow(/no session/);
});

test('sessions that have ended do not pile up', () => {
  const { clock, store, sessions } = openSessions();
  for (let n = 0; n < 5; n++) sessions.open({ accountId: ACCOUNT, kind: 'browser' });
  clock.advance(31 * DAY_MS);
  sessions.open({ accountId: ACCOUNT, kind: 'browser' });
  expect(store.prepare<{ n: number }>('SELECT count(*) AS n FROM sessions').get()?.n).toBe(1);
});
