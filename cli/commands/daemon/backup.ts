import { resolve } from 'node:path';
import { command } from '../../command.ts';
import { refuseHost } from '../../client/refuse-host.ts';

type BackupOptions = { force?: true; passphraseFile?: string; secrets: boolean };

export const backup = command<BackupOptions>({
  name: 'backup',
  group: 'Setup:',
  summary: 'save everything that cannot be downloaded again in one file',
  details:
    'Works while the daemon is running: the database is copied as of one moment. The file holds keys (hashed), ' +
    'credits, usage, webhooks, documents, bindings, settings and saved conversations, with a checksum of each ' +
    'part, and only you can read it. Secrets are included only in encrypted form, with your passphrase. Model ' +
    'files, generated images and logs are left out.',
  examples: [
    'askd backup askd.tar --no-secrets',
    'askd backup /mnt/backup/askd.tar --force --passphrase-file ~/.askd-passphrase',
  ],
  configure(commander) {
    commander
      .argument('<file>', 'the new file, a tar archive')
      .option('-f, --force', 'replace the file if it exists')
      .option('--passphrase-file <file>', 'file with the passphrase that encrypts the secrets')
      .option('--no-secrets', 'leave the secrets out');
  },
  async run(context, { args: [name = ''], options }) {
    refuseHost(context, 'backup');
    const [{ makeBackup }, { passphraseToSeal }, { createProgress }, { contentLines, describeArchive }] =
      await Promise.all([
        import('../../daemon-control/backup/make-backup.ts'),
        import('../../daemon-control/backup/passphrase.ts'),
        import('../../daemon-control/backup/progress.ts'),
        import('../../daemon-control/backup/describe.ts'),
      ]);
    const { paths, output, io, signal } = context;
    const passphrase = await passphraseToSeal(context, options, name);
    const file = resolve(name);
    const checked = await makeBackup({
      ...{ file, client: await context.connect(), paths, passphrase, signal },
      force: options.force === true,
      progress: createProgress(output, io.stderr),
    });
    output.result({ schema: 'backup/1', file, ...describeArchive(checked) }, () =>
      [
        `Wrote ${file}.`,
        ...contentLines(checked),
        `To check or restore it: askd restore --check ${name}, askd restore ${name}`,
      ].join('\n'),
    );
  },
});
