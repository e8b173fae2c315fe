import type { ApiKey } from '../../../src/api/account/keys.ts';
import { creditsText, rateText, tokensText } from '../../client/key-budget.ts';
import { formatSince } from '../../output/format.ts';
import { fields, heading, line, span, type Span } from '../render/lines.ts';
import { eventLine } from '../render/event-rows.ts';
import type { Screen } from '../screen.ts';
import type { Theme } from '../render/theme.ts';

export const keysScreen: Screen<ApiKey> = {
  title: 'Keys',
  rows: ({ data }) => data.keys,
  id: ({ id }) => id,
  empty: 'There are no keys. n creates one for a program.',
  columns: ({ now }, theme) => [
    { title: 'NAME', value: ({ name }) => name, width: 'rest' },
    { title: 'KEY', value: ({ key_prefix: prefix }) => `${prefix}…`, width: 12 },
    { title: 'STATE', value: (key) => stateOf(key, now, theme), width: 9 },
    { title: 'SCOPES', value: ({ scopes }) => scopes.join(','), width: 16 },
    { title: 'LAST USED', value: ({ last_used_at: at }) => formatSince(at, now), width: 12, from: 64 },
  ],
  detail: ({ now, events }, key, { width }) => {
    if (key === undefined) return [];
    const about = events.filter(({ topic, data }) => topic === 'key' && data['id'] === key.id);
    return [
      heading(key.name),
      ...fields(
        [
          ['id', key.id],
          ['key', `${key.key_prefix}… (its secret was shown once, when it was created)`],
          ['scopes', key.scopes.join(', ')],
          ['last used', formatSince(key.last_used_at, now)],
          ['expires', key.expires_at ?? 'never'],
          ['this month', `${creditsText(key.budget)} credits, ${tokensText(key.budget)} tokens`],
          ['requests', rateText(key.budget)],
          ['created', `${key.created_at} (${formatSince(key.created_at, now)})`],
          ['state', key.is_active ? 'on' : 'off: requests with it are refused'],
        ],
        width,
      ),
      ...(about.length > 0 ? [line(''), ...about.map((event) => eventLine(event, width))] : []),
    ];
  },
};

function stateOf(
  { is_active: isActive, expires_at: expiresAt }: ApiKey,
  now: number,
  { glyphs }: Theme,
): Span {
  if (expiresAt !== null && Date.parse(expiresAt) <= now)
    return span(`${glyphs.off} expired`, { color: 'red' });
  return isActive
    ? span(`${glyphs.on} on`, { color: 'green' })
    : span(`${glyphs.off} off`, { color: 'yellow' });
}
