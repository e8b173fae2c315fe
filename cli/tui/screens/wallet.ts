import type { Transaction } from '../../../src/api/account/wallet.ts';
import { formatAmount, formatMoney, formatSince, orDash, perMinute } from '../../output/format.ts';
import { beside, block, facts, fields, heading, line, span, type Line, type Span } from '../render/lines.ts';
import type { Screen } from '../screen.ts';
import type { State } from '../state/state.ts';
import { drawGraph, valuesIn } from '../render/graph.ts';
import { creditsPerHour, spentInHour, valuesOf } from '../state/activity.ts';
import { progressBar, type Theme } from '../render/theme.ts';

export const walletScreen: Screen<Transaction> = {
  title: 'Wallet',
  rows: ({ data }) => data.transactions,
  id: ({ id }) => id,
  empty: 'Nothing has changed the balance yet. t adds credits.',
  columns: ({ now }) => [
    { title: 'WHEN', value: ({ created_at: at }) => formatSince(at, now), width: 12 },
    { title: 'TYPE', value: ({ type }) => type, width: 6 },
    { title: 'AMOUNT', value: (row) => amountOf(row, formatAmount), width: 13, align: 'decimal' },
    { title: 'BALANCE', value: (row) => formatAmount(row.balance_after), width: 13, align: 'decimal' },
    { title: 'DESCRIPTION', value: ({ description }) => description, width: 'rest' },
  ],
  top: (state, width, theme) => (state.status ? summary(state, width, theme) : []),
  share: { above: 0.6, left: 0.66 },
  detail: (_state, row, { width }) =>
    row
      ? [
          heading(row.description),
          ...fields(
            [
              ['amount', amountOf(row, formatMoney)],
              ['balance after', formatMoney(row.balance_after)],
              ['when', row.created_at],
              ['id', row.id],
            ],
            width,
          ),
        ]
      : [],
};

function amountOf({ amount }: Transaction, format: (credits: number) => string): Span {
  return span(`${amount > 0 ? '+' : ''}${format(amount)}`, amount > 0 ? { color: 'green' } : {});
}

const TOP_LINES = 5;

function summary(state: State, width: number, { glyphs, isReader }: Theme): readonly Line[] {
  const { status, data } = state;
  const { settings, tier } = data;
  const half = Math.floor((width - 3) / 2);
  const graph = { width: half - 22, height: 1 };
  const spending = valuesOf(state, creditsPerHour, valuesIn(graph.width, glyphs));
  const left: Line[] = facts([
    ['balance', span(`${formatMoney(status?.wallet.balance ?? 0)} credits`, { bold: true })],
    ['held', formatMoney(status?.wallet.held ?? 0)],
    ['available', formatMoney(status?.wallet.available ?? 0)],
    ['spent', `${formatMoney(status?.served.spent ?? 0)} since it started`],
  ]);
  left.push(
    line(
      span('credits/h  ', { dim: true }),
      span(isReader ? '' : drawGraph(spending, graph, glyphs).join(''), { color: 'magenta' }),
      span(` ${formatAmount(spentInHour(state))}`),
    ),
  );
  const month = tier?.monthly_tokens ?? null;
  const used = tier?.used_tokens ?? 0;
  const right = facts([
    ['tier', tier ? `${tier.tier}, ${perMinute(tier.rpm)}` : '-'],
    [
      'month',
      month === null
        ? `${used} tokens`
        : `${isReader ? '' : progressBar(used / month, 10, glyphs)} ${used} of ${month}`,
    ],
    [
      'auto top-up',
      settings?.auto_topup.enabled
        ? `${settings.auto_topup.amount} below ${settings.auto_topup.threshold}`
        : 'off',
    ],
    [
      'limit',
      settings?.spending_limit.enabled
        ? `${settings.spending_limit.monthly_limit} a month (${settings.spending_limit.action})`
        : 'off',
    ],
    [
      'alert',
      settings?.low_balance_alert.enabled
        ? `below ${settings.low_balance_alert.threshold}, ${orDash(settings.low_balance_alert.email)}`
        : 'off',
    ],
  ]);
  if (isReader) return [...left, ...right];
  const size = { width: half, height: TOP_LINES };
  return [...beside(block(left, size), block(right, size), ' '), line('')];
}
