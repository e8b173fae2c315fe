import { integerBetween } from '../../command-line/arguments.ts';
import { command } from '../../command.ts';
import { findKey } from '../../client/find-key.ts';

const GRACE_SECONDS_MAX = 30 * 24 * 3600;

export const keysRotate = command<{ grace?: number }>({
  name: 'keys rotate',
  group: 'Access:',
  summary: 'replace a key with one that has a new secret',
  details: 'Only the new secret goes to stdout. The old one stops working at once, or after --grace.',
  isPerAccount: true,
  examples: ['askd keys rotate ask_AbC1', 'askd keys rotate ask_AbC1 --grace 3600'],
  configure(commander) {
    commander
      .argument('<key>', 'id, prefix or name, from askd keys list')
      .option(
        '--grace <seconds>',
        'how long the old secret keeps working',
        integerBetween(0, GRACE_SECONDS_MAX),
      );
  },
  async run({ connect, output }, { args: [wanted = ''], options: { grace = 0 } }) {
    const client = await connect();
    const old = findKey(await client.listKeys(), wanted);
    const key = await client.rotateKey(old.id, { grace_seconds: grace });
    output.result({ schema: 'keys-rotate/1', replaces: old.id, ...key }, () => key.key);
    const end = grace === 0 ? 'no longer works' : `works for another ${grace} s`;
    output.note(`Created ${key.name} (${key.id}). The old secret ${old.key_prefix}… ${end}.`);
  },
});
