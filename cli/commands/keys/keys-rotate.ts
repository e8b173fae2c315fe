import { integerBetween } from '../../command-line/arguments.ts';
import { command } from '../../command.ts';
import { findKey } from '../../client/find-key.ts';

const GRACE_SECONDS_MAX = 30 * 24 * 3600;

export const keysRotate = command<{ grace?: number }>({
  name: 'keys rotate',
  group: 'Access:',
  summary: 'replace a key by one with a new secret',
  details: 'The new secret goes to stdout alone. The old one ends at once, or after the grace.',
  examples: ['askd keys rotate ask_AbC1', 'askd keys rotate ask_AbC1 --grace 3600'],
  configure(commander) {
    commander
      .argument('<id-or-prefix>', 'as askd keys list shows it')
      .option(
        '--grace <seconds>',
        'how long the old secret still works',
        integerBetween(0, GRACE_SECONDS_MAX),
      );
  },
  async run({ connect, output }, { args: [wanted = ''], options: { grace = 0 } }) {
    const client = await connect();
    const old = findKey(await client.listKeys(), wanted);
    const key = await client.rotateKey(old.id, { grace_seconds: grace });
    output.result({ schema: 'keys-rotate/1', replaces: old.id, ...key }, () => key.key);
    const end = grace === 0 ? 'is refused from now on' : `works for another ${grace} s`;
    output.note(`Created ${key.name} (${key.id}). The old secret ${old.key_prefix}… ${end}.`);
  },
});
