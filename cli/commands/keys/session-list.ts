import type { Session } from '../../../src/api/account/sessions.ts';
import { command } from '../../command.ts';
import { formatSince } from '../../output/format.ts';
import { renderTable, type Column } from '../../output/table.ts';

export const sessionList = command({
  name: 'session list',
  group: 'Access:',
  summary: 'list the open dashboard sessions',
  isPerAccount: true,
  examples: ['askd session list', 'askd session list --json'],
  async run({ connect, output }) {
    const client = await connect();
    const { sessions } = await client.listSessions();
    output.result({ schema: 'session-list/1', sessions }, () =>
      sessions.length === 0
        ? 'No open sessions: askd dashboard'
        : renderTable(sessions, columns(Date.now()), output),
    );
  },
});

function columns(nowMs: number): Column<Session>[] {
  return [
    { title: 'ID', value: (session) => session.id, shrinks: true },
    { title: 'KIND', value: (session) => session.kind },
    { title: 'OPENED BY', value: (session) => session.user_agent ?? '-', shrinks: true },
    { title: 'OPENED', value: (session) => formatSince(session.created_at, nowMs) },
    { title: 'SEEN', value: (session) => formatSince(session.last_seen_at, nowMs) },
  ];
}
