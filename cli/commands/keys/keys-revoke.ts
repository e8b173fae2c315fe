import { command } from '../../command.ts';
import { findKey } from '../../client/find-key.ts';
import { sanitiseLine } from '../../output/sanitise.ts';

export const keysRevoke = command<{ yes?: true }>({
  name: 'keys revoke',
  group: 'Access:',
  summary: 'revoke a key permanently',
  isPerAccount: true,
  examples: ['askd keys revoke key_01JD0000000000000000000000', 'askd keys revoke ask_AbC1 --yes'],
  configure(commander) {
    commander.argument('<key>', 'id, prefix or name, from askd keys list').option('-y, --yes', 'do not ask');
  },
  async run({ connect, output, io, signal }, { args: [wanted = ''], options: { yes } }) {
    const client = await connect();
    const key = findKey(await client.listKeys(), wanted);
    const label = `${sanitiseLine(key.name)} (${key.key_prefix}…)`;
    if (!yes) {
      const { confirm } = await import('../../prompt/confirm.ts');
      const agreed = await confirm(`Revoke ${label}? Programs that use it stop working.`, io, signal);
      if (!agreed) return output.note('Nothing was changed.');
    }
    await client.deleteKey(key.id);
    output.result({ schema: 'keys-revoke/1', success: true, id: key.id }, () => `Revoked ${label}.`);
  },
});
