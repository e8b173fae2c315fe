import { command } from '../../command.ts';
import { renderFields } from '../../output/table.ts';
import { version } from '../../../src/base/version.ts';

export const update = command<{ check?: true }>({
  name: 'update',
  group: 'Setup:',
  summary: 'check the npm registry for a newer askd',
  details:
    'Installs nothing. askd never checks for updates on its own; only this command does. ' +
    'With --check it exits with 1 if there is a newer version.',
  examples: ['askd update', 'askd update --check && echo up to date'],
  configure: (commander) => void commander.option('--check', 'exit with 1 if there is a newer version'),
  async run({ environment, output, signal }, { options: { check = false } }) {
    const { isNewer, latestVersion } = await import('../../help/latest-version.ts');
    const latest = await latestVersion(environment, signal);
    const newer = isNewer(latest, version);
    const document = { schema: 'update/1', version, latest, is_current: !newer };
    output.result(document, () =>
      renderFields([
        ['this', version],
        ['latest', latest],
        ['update', newer ? 'npm install -g askd@latest && askd restart' : 'none: this is the latest'],
      ]),
    );
    return check && newer ? 1 : 0;
  },
});
