import { Failure } from '../../../src/base/errors.ts';
import type { SecretPlace } from '../../../src/config/secrets/secrets.ts';
import { command } from '../../command.ts';
import type { ListedSecret } from '../../config/secrets.ts';
import type { Context } from '../../context.ts';
import type { Output } from '../../output/output.ts';
import { renderTable } from '../../output/table.ts';
import { RESTART } from './config.ts';

const PLACES: readonly string[] = ['keyring', 'file'];
const KEEPS =
  'Secrets are kept in the keyring of this machine if one answers (Secret Service, Keychain, Credential Manager), ' +
  'and otherwise in a file that only you can read. Environment variables override them.';

export const secretsList = command({
  name: 'secrets list',
  group: 'Setup:',
  summary: 'list the stored secrets and where each is kept, never the values',
  details: KEEPS,
  examples: ['askd secrets list', 'askd secrets list --json'],
  async run(context) {
    const { listSecrets, shownPlace } = await import('../../config/secrets.ts');
    const secrets = listSecrets(context);
    context.output.result({ schema: 'secrets-list/1', secrets }, () =>
      renderTable(
        secrets,
        [
          { title: 'SECRET', value: ({ name }: ListedSecret) => name },
          { title: 'KEPT IN', value: ({ kept }) => shownPlace(kept) },
          { title: 'OVERRIDDEN BY', value: ({ variable }) => variable ?? '' },
          { title: 'FOR', value: ({ use }) => use },
        ],
        { ...context.output, width: Infinity },
      ),
    );
  },
});

export const secretsSet = command<{ in?: string }>({
  name: 'secrets set',
  group: 'Setup:',
  summary: 'store a secret, read from stdin or typed without echo',
  details: KEEPS,
  examples: ['askd secrets set smtp_url', 'askd secrets set hub_token < token.txt'],
  configure: (commander) =>
    void commander
      .argument('<secret>', 'secret, from askd secrets list')
      .option('--in <place>', 'keyring or file (default: the keyring if one answers)'),
  async run(context, { args: [name = ''], options }) {
    const { keepSecret, keptIn, requireSecret } = await import('../../config/secrets.ts');
    requireSecret(name);
    const wanted = toPlace('--in', options.in);
    const value = await readValue(context, name);
    const kept = await keepSecret(context, { name, value, wanted });
    context.output.result({ schema: 'secrets-set/1', name, kept: kept.place }, () => keptIn(name, kept));
    context.output.note(RESTART);
  },
});

export const secretsRemove = command({
  name: 'secrets rm',
  group: 'Setup:',
  summary: 'delete a secret',
  examples: ['askd secrets rm smtp_url'],
  configure: (commander) => void commander.argument('<secret>', 'secret, from askd secrets list'),
  async run({ paths, output }, { args: [name = ''] }) {
    const [{ forgetInClear, requireSecret, secretsInClear }, { openSecrets }] = await Promise.all([
      import('../../config/secrets.ts'),
      import('../../../src/config/secrets/secrets.ts'),
    ]);
    requireSecret(name);
    const wasInClear = name in secretsInClear({ paths });
    const removed = await openSecrets(paths).remove([name]);
    forgetInClear({ paths }, [name]);
    const wasSet = wasInClear || removed.length > 0;
    output.result({ schema: 'secrets-rm/1', name, was_set: wasSet }, () =>
      wasSet ? `${name} is forgotten.` : `${name} was not set.`,
    );
    if (wasSet) output.note(RESTART);
  },
});

export const secretsMigrate = command<{ to?: string }>({
  name: 'secrets migrate',
  group: 'Setup:',
  summary: 'move all secrets out of the configuration file, into the keyring or a file',
  details: `${KEEPS} Afterwards the configuration file holds none. Use --to file for a daemon that cannot reach the keyring.`,
  examples: ['askd secrets migrate', 'askd secrets migrate --to file'],
  configure: (commander) =>
    void commander.option('--to <place>', 'keyring or file (default: the keyring if one answers)'),
  async run({ paths, output }, { options }) {
    const [{ forgetInClear, keptIn, secretsInClear }, { openSecrets }] = await Promise.all([
      import('../../config/secrets.ts'),
      import('../../../src/config/secrets/secrets.ts'),
    ]);
    const wanted = toPlace('--to', options.to);
    const secrets = openSecrets(paths);
    const { values, unreadable } = await secrets.read();
    if (unreadable) {
      throw new Failure('keyring_unavailable', `The keyring cannot be read: ${unreadable.reason}.`, {
        details: { fix: `unlock it, or set them again: askd secrets set ${unreadable.names[0]} --in file` },
      });
    }
    const all = { ...secretsInClear({ paths }), ...values };
    const names = Object.keys(all);
    const kept = names.length === 0 ? undefined : await secrets.put(all, wanted);
    forgetInClear({ paths }, names);
    output.result({ schema: 'secrets-migrate/1', names, kept: kept?.place ?? null }, () =>
      kept ? names.map((name) => keptIn(name, kept)).join('\n') : 'No secret is set.',
    );
    if (kept) output.note(RESTART);
  },
});

function toPlace(option: string, text: string | undefined): SecretPlace | undefined {
  if (text === undefined || PLACES.includes(text)) return text as SecretPlace | undefined;
  throw new Failure('invalid_value', `${option} is keyring or file, not ${JSON.stringify(text)}.`);
}

async function readValue(
  { io, output, signal }: Context & { output: Output },
  name: string,
): Promise<string> {
  if (io.stdin.isTTY) {
    const { askHidden } = await import('../../prompt/hidden.ts');
    return (await askHidden(`${name} (not shown): `, io, signal)).trim();
  }
  const { readStdin } = await import('../../chat/prompt.ts');
  const value = (await readStdin(io.stdin, output, signal)).trim();
  if (value !== '') return value;
  throw new Failure('missing_required_parameter', 'Stdin is empty: the value is read from it.', {
    details: { fix: `askd secrets set ${name} < FILE` },
  });
}
