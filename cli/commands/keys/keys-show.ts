import { command } from '../../command.ts';
import { findKey } from '../../client/find-key.ts';
import { creditsText, rateText, tokensText } from '../../client/key-budget.ts';
import { formatSince } from '../../output/format.ts';
import { keyState } from '../../client/key-state.ts';
import { renderFields } from '../../output/table.ts';

export const keysShow = command({
  name: 'keys show',
  group: 'Access:',
  summary: 'show one key, its budget and what it used this month, without its secret',
  isPerAccount: true,
  examples: ['askd keys show ask_AbC1', 'askd keys show ask_AbC1 --json'],
  configure: (commander) => void commander.argument('<key>', 'id, prefix or name, from askd keys list'),
  async run({ connect, output }, { args: [wanted = ''] }) {
    const key = findKey(await (await connect()).listKeys(), wanted);
    const nowMs = Date.now();
    output.result({ schema: 'keys-show/1', ...key }, () =>
      renderFields([
        ['id', key.id],
        ['name', key.name],
        ['prefix', key.key_prefix],
        ['scopes', key.scopes.join(', ')],
        ['state', keyState(key, nowMs)],
        ['created', formatSince(key.created_at, nowMs)],
        ['last used', formatSince(key.last_used_at, nowMs)],
        ['expires', key.expires_at ?? 'never'],
        ['credits this month', creditsText(key.budget)],
        ['tokens this month', tokensText(key.budget)],
        ['requests', rateText(key.budget)],
      ]),
    );
  },
});
