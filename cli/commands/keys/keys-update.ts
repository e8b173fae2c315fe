import type { UpdateApiKeyRequest } from '../../../src/api/account/keys.ts';
import { Failure } from '../../../src/base/errors.ts';
import { addBudgetOptions, toBudgetBody, type BudgetOptions } from '../../client/key-budget.ts';
import { commaList } from '../../command-line/arguments.ts';
import { command } from '../../command.ts';
import { findKey } from '../../client/find-key.ts';
import { sanitiseLine } from '../../output/sanitise.ts';

type KeysUpdateOptions = BudgetOptions & { name?: string; scopes?: string[]; on?: true; off?: true };

export const keysUpdate = command<KeysUpdateOptions>({
  name: 'keys update',
  group: 'Access:',
  summary: 'rename a key, change its scopes or budget, or disable and enable it',
  isPerAccount: true,
  examples: [
    'askd keys update ask_AbC1 --off',
    'askd keys update ask_AbC1 --on --scopes chat,read,write',
    'askd keys update ask_AbC1 --credits-per-month 80 --rpm none',
  ],
  configure(commander) {
    addBudgetOptions(commander)
      .argument('<key>', 'id, prefix or name, from askd keys list')
      .option('--name <name>', 'what the key is for')
      .option('--scopes <list>', 'chat, read, write, admin: replaces all its scopes', commaList)
      .option('--off', 'disable it, but keep it')
      .option('--on', 'enable it again');
  },
  async run({ connect, output }, { args: [wanted = ''], options: { name, scopes, on, off, ...budget } }) {
    if (on && off) throw new Failure('invalid_value', 'Give --on or --off, not both.');
    const isActive = on ? true : off ? false : undefined;
    const body = {
      ...(name !== undefined && { name }),
      ...(scopes && { scopes }),
      ...(isActive !== undefined && { is_active: isActive }),
      ...toBudgetBody(budget),
    };
    if (Object.keys(body).length === 0) {
      throw new Failure(
        'missing_required_parameter',
        'Nothing to change. Give --name, --scopes, --credits-per-month, --tokens-per-month, --rpm, --off or --on.',
      );
    }
    const client = await connect();
    const key = findKey(await client.listKeys(), wanted);
    await client.updateKey(key.id, body as UpdateApiKeyRequest);
    output.result({ schema: 'keys-update/1', success: true, id: key.id }, () => {
      const label = `${sanitiseLine(name ?? key.name)} (${key.key_prefix}…)`;
      return isActive === undefined ? `Changed ${label}.` : `${isActive ? 'Enabled' : 'Disabled'} ${label}.`;
    });
  },
});
