import { Failure } from '../../../src/base/errors.ts';
import { command } from '../../command.ts';
import { formatCount } from '../../output/format.ts';

export const sessionRevoke = command<{ all?: true }>({
  name: 'session revoke',
  group: 'Access:',
  summary: 'end dashboard sessions',
  isPerAccount: true,
  examples: ['askd session revoke sess_01JD0000000000000000000000', 'askd session revoke --all'],
  configure(commander) {
    commander.argument('[id]', 'session id, from askd session list').option('--all', 'end every session');
  },
  async run({ connect, output }, { args: [id], options: { all } }) {
    if ((id === undefined) === (all === undefined)) {
      throw new Failure('missing_required_parameter', 'Name one session, or give --all.', {
        details: { fix: 'askd session list' },
      });
    }
    const client = await connect();
    if (id !== undefined) await client.deleteSession(id);
    const revoked = id === undefined ? (await client.deleteSessions()).revoked : 1;
    output.result({ schema: 'session-revoke/1', revoked }, () => `Ended ${formatCount(revoked, 'session')}.`);
  },
});
