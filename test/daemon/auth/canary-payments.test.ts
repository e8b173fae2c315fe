import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { expect, onTestFinished, test } from 'vitest';
import { createCanaries } from '../../helpers/accounts/canaries.ts';
import { eventually } from '../../helpers/daemon/chat.ts';
import { startDaemon } from '../../helpers/daemon/daemon.ts';
import { sendJson } from '../../helpers/servers/scripted-server.ts';
import { deliver } from '../../helpers/servers/stripe-server.ts';

test('the secrets of Stripe and of the mail server appear nowhere, though both echo them', async () => {
  const canaries = createCanaries();
  const stripeKey = canaries.knows('the key of Stripe', 'sk_test_canaryCanaryCanary0123456789');
  const stripeSecret = canaries.knows('the secret of Stripe', 'whsec_canaryCanaryCanary0123456789');
  const password = canaries.knows('the password of the mail server', 'mail pass/word canary');
  const stripe = await tellingStripe();
  const daemon = await startDaemon({
    ASKD_LOG_LEVEL: 'trace',
    ASKD_PROFILE: 'hosted',
    ASKD_STRIPE_SECRET_KEY: stripeKey,
    ASKD_STRIPE_WEBHOOK_SECRET: stripeSecret,
    ASKD_STRIPE_API_BASE: stripe.base,
    ASKD_SMTP_URL: `smtp://user:${encodeURIComponent(password)}@127.0.0.1:${await tellingMailServer()}`,
    ASKD_SMTP_FROM: 'askd@example.com',
  });
  const topUp = await daemon.call('POST', '/v1/wallet/top-up', { body: { amount: 10 } });
  const forged = await deliver(daemon.port, { secret: stripeSecret }, { secret: 'another' });
  const broken = await deliver(daemon.port, {}, { header: stripeSecret });
  const settings = await daemon.call('GET', '/api/wallet/settings');
  const replies = { topUp, forged, broken, settings };
  expect(Object.values(replies).map(({ status }) => status)).toEqual([502, 400, 400, 200]);
  for (const [where, reply] of Object.entries(replies)) canaries.sawReply(where, reply);
  expect(stripe.keys).toContain(`Bearer ${stripeKey}`);

  const { mails } = daemon.services.topups;
  mails.post({ to: 'owner@example.com', subject: 'x', body: 'x' });
  await mails.drain();
  const log = () => readFileSync(daemon.services.settings.paths.log, 'utf8');
  await eventually(log).toContain('a mail could not be sent');
  expect(log()).toContain('535');
  canaries.sawFolder(daemon.home, { but: /^root-token$/ });
  expect(canaries.leaks()).toEqual([]);
});

async function tellingStripe() {
  const keys: (string | undefined)[] = [];
  const server = createServer(({ headers }, response) => {
    keys.push(headers.authorization);
    sendJson(response, 401, {
      error: { type: 'invalid_request_error', message: `no: ${headers.authorization}` },
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, keys };
}

async function tellingMailServer(): Promise<number> {
  const server = new SMTPServer({
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth: ({ password }, _session, done) => done(new Error(`wrong password "${password}"`)),
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => server.close(() => undefined));
  return (server.server.address() as AddressInfo).port;
}
