import type { TierChange } from '../../../src/api/account/account.ts';
import type { WalletSettings, WalletSettingsRequest } from '../../../src/api/account/wallet-settings.ts';
import { Failure } from '../../../src/base/errors.ts';
import { formatMoney } from '../../output/format.ts';
import { transactionLines } from '../../output/wallet-lines.ts';
import { attempt, did, openDialog, say, textAnswer, type Act, type Deck, type Submission } from '../deck.ts';
import type { Answers, Dialog, Field } from '../dialog/dialog.ts';
import type { ActionId } from '../keyboard/keymap.ts';

const SWITCH = ['off', 'on'] as const;
const TIERS = ['free', 'developer', 'startup', 'enterprise'] as const;

function askForTopup(deck: Deck): void {
  openDialog(deck, {
    kind: 'form',
    title: 'Add credits',
    focus: 0,
    submit: 'wallet.topup',
    fields: [{ kind: 'text', name: 'amount', label: 'US dollars', value: '', hint: 'from 1 to 499.99' }],
  });
}

function askForTier(deck: Deck): void {
  const value = deck.store.current().data.tier?.tier ?? 'free';
  openDialog(deck, {
    kind: 'form',
    title: 'Change the tier',
    focus: 0,
    submit: 'wallet.tier',
    fields: [{ kind: 'choice', name: 'tier', label: 'tier', value, choices: TIERS, hint: 'arrows choose' }],
  });
}

function settingsFields({
  auto_topup: topup,
  spending_limit: limit,
  low_balance_alert: alert,
}: WalletSettings): Field[] {
  const isOn = (name: string, label: string, value: boolean): Field => ({
    kind: 'choice',
    name,
    label,
    value: value ? 'on' : 'off',
    choices: SWITCH,
  });
  const text = (name: string, label: string, value: string | number, hint: string): Field => ({
    kind: 'text',
    name,
    label,
    value: String(value),
    hint,
  });
  return [
    isOn('topup', 'auto top-up', topup.enabled),
    text('threshold', '  below', topup.threshold, 'credits'),
    text('amount', '  adds', topup.amount, 'credits, at least 1'),
    isOn('limit', 'spending limit', limit.enabled),
    text('monthly', '  a month', limit.monthly_limit, 'credits'),
    { kind: 'choice', name: 'action', label: '  then', value: limit.action, choices: ['block', 'alert'] },
    isOn('alert', 'low balance alert', alert.enabled),
    text('low', '  below', alert.threshold, 'credits'),
    text('email', '  mail to', alert.email ?? '', 'an address, or empty'),
  ];
}

function askForSettings(deck: Deck): void {
  const { settings } = deck.store.current().data;
  if (!settings) return;
  const fields = settingsFields(settings);
  openDialog(deck, { kind: 'form', title: 'Wallet settings', fields, focus: 0, submit: 'wallet.edit' });
}

function numberAnswer(answers: Answers, name: string): number {
  const text = textAnswer(answers, name);
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  throw new Failure('invalid_value', `"${text}" is not a number of credits.`);
}

function toRequest(answers: Answers): WalletSettingsRequest {
  const email = textAnswer(answers, 'email');
  return {
    auto_topup: {
      enabled: answers['topup'] === 'on',
      threshold: numberAnswer(answers, 'threshold'),
      amount: numberAnswer(answers, 'amount'),
    },
    spending_limit: {
      enabled: answers['limit'] === 'on',
      monthly_limit: numberAnswer(answers, 'monthly'),
      action: answers['action'] === 'alert' ? 'alert' : 'block',
    },
    low_balance_alert: {
      enabled: answers['alert'] === 'on',
      threshold: numberAnswer(answers, 'low'),
      email: email === '' ? null : email,
    },
  };
}

/** The payment is confirmed on its page; the balance updates here afterwards. */
export async function topUp(deck: Deck, amount: number): Promise<Dialog> {
  const started = await deck.client().topUp({ amount });
  did(deck, `askd wallet topup ${amount}`);
  const isOpen = await deck.openUrl(started.checkout_url);
  return {
    kind: 'pages',
    title: 'Confirm the payment',
    offset: 0,
    url: started.checkout_url,
    text: [
      `${formatMoney(started.amount)} ${started.currency} buys ${formatMoney(started.total)} credits, including a bonus of ${formatMoney(started.bonus)}.`,
      isOpen ? 'The page is open in your browser.' : 'Open this page in a browser:',
      started.checkout_url,
      '',
      `It is valid until ${started.expires_at}. The balance updates here once it is paid.`,
    ],
  };
}

async function exportAll(deck: Deck): Promise<void> {
  const path = await deck.save('askd-wallet', 'csv', transactionLines(deck.client(), 'csv'));
  did(deck, `askd wallet export --out ${path}`);
  say(deck, `Saved every transaction in ${path}.`);
}

export const wallet = {
  'wallet.topup': askForTopup,
  'wallet.edit': askForSettings,
  'wallet.tier': askForTier,
  'wallet.export': (deck) => attempt(deck, () => exportAll(deck)),
} satisfies Partial<Record<ActionId, Act>>;

export const walletSubmissions: Record<string, Submission> = {
  'wallet.topup': async (deck, _about, answers) => topUp(deck, numberAnswer(answers, 'amount')),
  'wallet.edit': async (deck, _about, answers) => {
    const settings = await deck.client().setWalletSettings(toRequest(answers));
    deck.store.dispatch({ type: 'loaded', data: { settings } });
    did(deck, `askd wallet settings --auto-topup ${settings.auto_topup.enabled ? 'on' : 'off'} …`);
    say(deck, 'The wallet settings are changed.');
    return undefined;
  },
  'wallet.tier': async (deck, _about, answers) => {
    const tier = textAnswer(answers, 'tier') as TierChange['tier'];
    const changed = await deck.client().setTier({ tier });
    deck.store.dispatch({ type: 'loaded', data: { tier: changed } });
    did(deck, `askd account tier ${tier}`);
    say(deck, `The tier is ${tier}.`);
    return undefined;
  },
};
