import type { ApiKey } from '../../../src/api/account/keys.ts';
import { command } from '../../command.ts';
import { creditsText, rateText, tokensText } from '../../client/key-budget.ts';
import { formatSince } from '../../output/format.ts';
import { keyState } from '../../client/key-state.ts';
import { renderTable, type Column } from '../../output/table.ts';

export const keysList = command({
  name: 'keys list',
  group: 'Access:',
  summary: 'list the keys and what they used this month, without their secrets',
  isPerAccount: true,
  examples: ['askd keys list', 'askd keys list --json'],
  async run({ connect, output }) {
    const client = await connect();
    const keys = await client.listKeys();
    output.result({ schema: 'keys-list/1', keys }, () =>
      keys.length === 0
        ? 'No keys yet: askd keys create --name NAME'
        : renderTable(keys, columns(keys, Date.now()), output),
    );
  },
});

const forTests: Column<ApiKey> = { title: 'FOR', value: (key) => (key.is_test ? 'tests' : '') };

/** Budget columns are shown if any key has a budget. */
function columns(keys: readonly ApiKey[], nowMs: number): Column<ApiKey>[] {
  const limits = ({ budget }: ApiKey) => [budget.credits_per_month, budget.tokens_per_month];
  const hasBudgets = keys.some((key) => limits(key).some((limit) => limit !== null));
  const hasRates = keys.some(({ budget }) => budget.rpm !== null);
  return [
    { title: 'ID', value: (key) => key.id, shrinks: true },
    { title: 'NAME', value: (key) => key.name, shrinks: true },
    { title: 'PREFIX', value: (key) => key.key_prefix },
    { title: 'SCOPES', value: (key) => key.scopes.join(',') },
    { title: 'STATE', value: (key) => keyState(key, nowMs) },
    ...(keys.some((key) => key.is_test) ? [forTests] : []),
    { title: 'USED', value: (key) => formatSince(key.last_used_at, nowMs) },
    ...(hasBudgets
      ? [
          { title: 'CREDITS THIS MONTH', value: (key: ApiKey) => creditsText(key.budget) },
          { title: 'TOKENS', value: (key: ApiKey) => tokensText(key.budget) },
        ]
      : []),
    ...(hasRates ? [{ title: 'REQUESTS', value: (key: ApiKey) => rateText(key.budget) }] : []),
  ];
}
