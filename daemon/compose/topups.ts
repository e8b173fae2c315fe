import type { Clock } from '../../src/base/clock.ts';
import type { Settings } from '../../src/config/config.ts';
import { Failure } from '../../src/base/errors.ts';
import type { AuditLog } from '../../src/events/audit/audit-log.ts';
import type { Notices } from '../../src/events/notices.ts';
import type { Log } from '../../src/log/log.ts';
import { toNano } from '../../src/base/money.ts';
import { baseUrls } from '../../src/base/presence.ts';
import type { Store } from '../../src/store/store.ts';
import { createAutoTopups } from '../../src/wallet/auto-topup.ts';
import { createCheckouts } from '../../src/wallet/checkouts.ts';
import { createLowBalanceAlert } from '../../src/wallet/low-balance.ts';
import { createMails } from '../../src/wallet/mails.ts';
import { createCustomers } from '../../src/wallet/providers/customers.ts';
import { createLocalProvider } from '../../src/wallet/providers/local.ts';
import { createStripeEvents } from '../../src/wallet/providers/stripe-events.ts';
import { createStripeClient, createStripeProvider } from '../../src/wallet/providers/stripe.ts';
import { createSmtp } from '../../src/wallet/smtp.ts';
import type { Wallet } from '../../src/wallet/wallet.ts';
import type { Boot } from '../boot.ts';

/** How often a postponed top-up is checked while no requests arrive. */
const LOOK_EVERY_MS = 60_000;

type Parts = {
  store: Store;
  clock: Clock;
  settings: Settings;
  log: Log;
  boot: Boot;
  wallet: Wallet;
  notices: Notices;
  auditLog: AuditLog;
};

/** Top-ups, and the alerts when credits run low. */
export function composeTopups({ store, clock, settings, log, boot, wallet, notices, auditLog }: Parts) {
  const rootUrl = () => baseUrls(boot.address()).management_url;
  const onFailure = (error: unknown, message: string) => log.warn({ err: error }, message);
  const stripe = stripeOf(settings);
  const customers = createCustomers({ store, provider: 'stripe' });
  const keepsCard = (accountId: string) => wallet.settings.get(accountId).autoTopup.enabled;
  const provider = stripe
    ? createStripeProvider({ client: stripe.client, customers, keepsCard, rootUrl })
    : createLocalProvider({ rootUrl });
  const checkouts = createCheckouts({ store, wallet, auditLog, clock, provider });
  const stripeEvents =
    stripe && createStripeEvents({ ...stripe, store, checkouts, customers, notices, clock });

  const send = settings.smtpUrl === '' ? undefined : createSmtp(smtpOf(settings));
  const mails = createMails({ store, clock, send, onFailure });
  wallet.watch(createLowBalanceAlert({ store, settings: wallet.settings, notices, mails, clock }));

  const autoTopups = createAutoTopups({
    store,
    checkouts,
    settings: wallet.settings,
    notices,
    auditLog,
    provider,
    clock,
    monthlyMax: settings.autoTopupMonthlyMax,
    balanceN: (accountId) => toNano(wallet.balance(accountId).balance),
    onFailure,
  });
  wallet.watch(({ accountId, type, afterN }) => {
    const { enabled, thresholdN } = wallet.settings.get(accountId).autoTopup;
    if (type === 'usage' && enabled && afterN < thresholdN)
      setImmediate(() => void autoTopups.check(accountId));
  });
  const timer = setInterval(() => void autoTopups.checkAll(), LOOK_EVERY_MS).unref();

  function close(): void {
    clearInterval(timer);
    autoTopups.close();
    mails.close();
  }

  return { checkouts, stripeEvents, mails, autoTopups, close };
}

function stripeOf({
  stripeSecretKey: secretKey,
  stripeWebhookSecret: secret,
  stripeApiBase: apiBase,
}: Settings) {
  if (secretKey === '' && secret === '') return undefined;
  if (secretKey !== '' && secret !== '')
    return { client: createStripeClient({ secretKey, apiBase }), secret };
  const [missing, given] =
    secretKey === ''
      ? ['stripe_secret_key', 'stripe_webhook_secret']
      : ['stripe_webhook_secret', 'stripe_secret_key'];
  throw new Failure(
    'config_invalid',
    `Stripe needs stripe_secret_key and stripe_webhook_secret, and ${missing} is empty. Without both, anyone could report a payment.`,
    { details: { fix: `askd secrets set ${missing}, or askd secrets rm ${given}` } },
  );
}

function smtpOf({ smtpUrl: url, smtpFrom: from }: Settings): { url: string; from: string } {
  if (from !== '') return { url, from };
  throw new Failure('config_invalid', 'smtp_url also needs smtp_from, the sender address.', {
    details: { fix: 'askd config set smtp_from ADDRESS' },
  });
}
