import type { ApiKey } from '../../../src/api/account/keys.ts';
import { command } from '../../command.ts';
import { formatSince } from '../../output/format.ts';
import { keyState } from '../../client/key-state.ts';
import { renderTable, type Column } from '../../output/table.ts';

export const keysList = command({
  name: 'keys list',
  group: 'Access:',
  summary: 'list the keys, without their secrets',
  examples: ['askd keys list', 'askd keys list --json'],
  async run({ connect, output }) {
    const client = await connect();
    const keys = await client.listKeys();
    output.result({ schema: 'keys-list/1', keys }, () =>
      keys.length === 0
        ? 'No keys yet: askd keys create --name NAME'
        : renderTable(keys, columns(Date.now()), output),
    );
  },
});

function columns(nowMs: number): Column<ApiKey>[] {
  return [
    { title: 'ID', value: (key) => key.id, shrinks: true },
    { title: 'NAME', value: (key) => key.name, shrinks: true },
    { title: 'PREFIX', value: (key) => key.key_prefix },
    { title: 'SCOPES', value: (key) => key.scopes.join(',') },
    { title: 'STATE', value: (key) => keyState(key, nowMs) },
    { title: 'USED', value: (key) => formatSince(key.last_used_at, nowMs) },
  ];
}
