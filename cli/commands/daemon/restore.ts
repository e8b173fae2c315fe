import { resolve } from 'node:path';
import type { CheckedArchive } from '../../../src/backup/check-archive.ts';
import type { BackedUpSecrets } from '../../../src/backup/sealed-secrets.ts';
import type { PassphraseOptions } from '../../daemon-control/backup/passphrase.ts';
import { command } from '../../command.ts';
import { refuseHost } from '../../client/refuse-host.ts';
import type { Context } from '../../context.ts';

type RestoreOptions = PassphraseOptions & { check?: true };

export const restore = command<RestoreOptions>({
  name: 'restore',
  group: 'Setup:',
  summary: 'restore a backup into an empty home, or check one',
  details:
    'Every checksum is compared before anything is written. The home must be empty and no daemon may run in ' +
    'it. A backup of an older askd is migrated by the next start; one of a newer askd is refused.',
  examples: ['askd restore --check askd.tar', 'ASKD_HOME=~/askd-copy askd restore askd.tar'],
  configure(commander) {
    commander
      .argument('<file>', 'a file that askd backup wrote')
      .option('--check', 'only verify the checksums and list the contents')
      .option('--passphrase-file <file>', 'file with the passphrase of the secrets')
      .option('--no-secrets', 'restore without the secrets');
  },
  async run(context, { args: [name = ''], options }) {
    refuseHost(context, 'restore');
    const { checkArchive } = await import('../../../src/backup/check-archive.ts');
    const file = resolve(name);
    const checked = await checkArchive(file, context.signal);
    if (options.check) await reportCheck(context, file, checked);
    else await restoreFrom(context, { file, name, checked, options });
  },
});

async function reportCheck({ output }: Context, file: string, checked: CheckedArchive): Promise<void> {
  const { contentLines, describeArchive } = await import('../../daemon-control/backup/describe.ts');
  output.result({ schema: 'restore/1', file, restored: false, ...describeArchive(checked) }, () =>
    [`${file} is intact.`, ...contentLines(checked)].join('\n'),
  );
}

type Restoring = { file: string; name: string; checked: CheckedArchive; options: RestoreOptions };

async function restoreFrom(context: Context, restoring: Restoring): Promise<void> {
  const { paths, output, io, signal } = context;
  const [{ requireEmptyHome, restoreHome }, { createProgress }, { describeArchive, remaining }] =
    await Promise.all([
      import('../../../src/backup/restore-home.ts'),
      import('../../daemon-control/backup/progress.ts'),
      import('../../daemon-control/backup/describe.ts'),
    ]);
  const { file, checked } = restoring;
  requireEmptyHome(paths.home);
  const secrets = await openedSecrets(context, restoring);
  const progress = createProgress(output, io.stderr);
  progress.step('Restoring', checked.bytes);
  try {
    await restoreHome({
      archive: file,
      checked,
      home: paths.home,
      secrets,
      signal,
      onBytes: progress.advance,
    });
  } finally {
    progress.end();
  }
  const { commands, lines } = remaining(checked.manifest, secrets !== undefined);
  output.result(
    {
      schema: 'restore/1',
      file,
      home: paths.home,
      restored: true,
      ...describeArchive(checked),
      next: commands,
    },
    () => [`Restored ${file} into ${paths.home}.`, ...lines, 'To start it: askd up'].join('\n'),
  );
}

async function openedSecrets(
  context: Context,
  { name, checked, options }: Restoring,
): Promise<BackedUpSecrets | undefined> {
  const { manifest, sealed } = checked;
  if (sealed === undefined || !options.secrets) return undefined;
  const [{ openSecrets }, { membersDigestInput }, { passphraseToOpen }] = await Promise.all([
    import('../../../src/backup/sealed-secrets.ts'),
    import('../../../src/backup/manifest.ts'),
    import('../../daemon-control/backup/passphrase.ts'),
  ]);
  const passphrase = await passphraseToOpen(context, options, name);
  return openSecrets(sealed, passphrase, membersDigestInput(manifest.members));
}
