import type { CreateApiKeyRequest } from '../../../src/api/account/keys.ts';
import { addBudgetOptions, toBudgetBody, type BudgetOptions } from '../../client/key-budget.ts';
import { commaList, timestamp } from '../../command-line/arguments.ts';
import { command } from '../../command.ts';

type KeysCreateOptions = BudgetOptions & {
  name: string;
  scopes?: string[];
  expiresAt?: string;
  test?: true;
};

export const keysCreate = command<KeysCreateOptions>({
  name: 'keys create',
  group: 'Access:',
  summary: 'create a key; its secret is shown once',
  details: 'Only the secret goes to stdout, so you can capture it: KEY=$(askd keys create --name app)',
  isPerAccount: true,
  examples: [
    'askd keys create --name my-app',
    'askd keys create --name reader --scopes read --expires-at 2027-01-31T00:00:00Z',
    'askd keys create --name ci --json',
    'askd keys create --name tests --test',
    'askd keys create --name app --credits-per-month 50 --tokens-per-month 1M --rpm 10',
  ],
  configure(commander) {
    addBudgetOptions(commander)
      .requiredOption('--name <name>', 'what the key is for')
      .option('--scopes <list>', 'chat, read, write, admin (default: chat,read)', commaList)
      .option('--expires-at <time>', 'when it expires', timestamp)
      .option('--test', 'a test key, for simulated failures: askd simulate --help');
  },
  async run({ connect, output }, { options: { name, scopes, expiresAt, test, ...budget } }) {
    const client = await connect();
    const body = {
      name,
      ...(scopes && { scopes }),
      ...(expiresAt && { expires_at: expiresAt }),
      ...(test && { test }),
      ...toBudgetBody(budget),
    };
    const key = await client.createKey(body as CreateApiKeyRequest);
    output.result({ schema: 'keys-create/1', ...key }, () => key.key);
    output.note(
      `Created ${key.name} (${key.id}) with ${key.scopes.join(', ')}. This secret is not shown again.`,
    );
  },
});
