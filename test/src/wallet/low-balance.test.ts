import { expect, onTestFinished, test, vi } from 'vitest';
import { toNano } from '../../../src/base/money.ts';
import { createSmtp } from '../../../src/wallet/smtp.ts';
import { openMailServer } from '../../helpers/servers/mail-server.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';
import { ACCOUNT, openTopups } from '../../helpers/accounts/topups.ts';

function alert(threshold: number, email: string | null = 'owner@example.com') {
  return { lowBalanceAlert: { enabled: true, thresholdN: toNano(threshold), email } };
}

test('the owner is notified once by mail and notice when the balance drops below the threshold', async () => {
  const server = await openMailServer();
  const send = createSmtp({ url: server.url, from: 'askd@example.com' });
  const { settings, give, spend, mails, noticeKinds } = openTopups({ send });
  give(20);
  settings.put(ACCOUNT, alert(10));
  spend(5);
  expect(noticeKinds()).toEqual([]);
  spend(6);
  spend(1);
  await mails.drain();
  expect(server.received).toHaveLength(1);
  expect(server.received[0]).toMatchObject({ from: 'askd@example.com', to: ['owner@example.com'] });
  expect(server.received[0]?.text).toContain('The balance is 9.00 credits, below 10.00.');
  expect(noticeKinds()).toEqual(['low_balance']);

  give(5);
  spend(4);
  await mails.drain();
  expect(server.received).toHaveLength(2);
});

test('without a mail server, or without an address, only the notice is given', async () => {
  const { settings, give, spend, store, noticeKinds } = openTopups();
  give(20);
  settings.put(ACCOUNT, alert(10));
  spend(15);
  expect(noticeKinds()).toEqual(['low_balance']);
  expect(store.prepare('SELECT * FROM mails').all()).toEqual([]);
  const silent = openTopups({ send: () => Promise.reject(new Error('never')) });
  silent.give(20);
  silent.settings.put(ACCOUNT, alert(10, null));
  silent.spend(15);
  expect([silent.noticeKinds(), silent.store.prepare('SELECT * FROM mails').all()]).toEqual([
    ['low_balance'],
    [],
  ]);
});

test('an alert that is off says nothing, and a changed one is armed again', () => {
  const { settings, give, spend, clock, noticeKinds } = openTopups();
  give(20);
  settings.put(ACCOUNT, { lowBalanceAlert: { ...alert(10).lowBalanceAlert, enabled: false } });
  spend(15);
  expect(noticeKinds()).toEqual([]);
  settings.put(ACCOUNT, alert(4));
  spend(2);
  clock.advance(1000);
  settings.put(ACCOUNT, alert(2));
  spend(2);
  expect(noticeKinds()).toEqual(['low_balance', 'low_balance']);
});

test('a mail that the server does not accept is retried, even after a restart, and finally given up on', async () => {
  const path = `${temporaryFolder()}/askd.db`;
  const refuse = vi.fn(() => Promise.reject(new Error('421 try later')));
  const first = openTopups({ send: refuse, path });
  first.give(20);
  first.settings.put(ACCOUNT, alert(10));
  first.spend(15);
  await first.mails.drain();
  expect([refuse.mock.calls.length, first.failures.length]).toEqual([1, 1]);
  first.mails.close();

  const second = openTopups({ send: refuse, path });
  await second.mails.drain();
  expect(refuse).toHaveBeenCalledTimes(1);
  for (let n = 0; n < 10; n++) {
    second.clock.advance(9 * 60 * 60_000);
    await second.mails.drain();
  }
  expect(refuse).toHaveBeenCalledTimes(6);
  expect(second.store.prepare('SELECT state FROM mails').all()).toEqual([{ state: 'failed' }]);
});

test('an address cannot inject headers', async () => {
  const server = await openMailServer();
  const send = createSmtp({ url: server.url, from: 'askd@example.com' });
  await send({
    to: 'a@example.com\r\nBcc: b@example.com',
    subject: 'x\r\nBcc: c@example.com',
    body: 'y',
  }).catch(() => undefined);
  expect(server.received.flatMap(({ to }) => to)).not.toContain('b@example.com');
  expect(server.received.flatMap(({ to }) => to)).not.toContain('c@example.com');
});

test('a mail server that never answers is given up on', async () => {
  const server = await openMailServer({ silent: true });
  const send = createSmtp({ url: server.url, from: 'askd@example.com' });
  const mail = send({ to: 'a@example.com', subject: 'x', body: 'y' });
  onTestFinished(() => mail.catch(() => undefined));
  await server.connected;
  server.cut();
  await expect(mail).rejects.toThrow();
});
