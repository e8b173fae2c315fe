import type { CatalogSource } from '../../../src/api/management/catalog.ts';
import { version } from '../../../src/base/version.ts';
import { command } from '../../command.ts';
import type { Context } from '../../context.ts';
import { catalogText } from '../../models/catalog-text.ts';
import { orDash } from '../../output/format.ts';
import { renderFields } from '../../output/table.ts';

type Options = { check?: true; catalog?: true };

export const update = command<Options>({
  name: 'update',
  group: 'Setup:',
  summary: 'check for a newer askd, or take a newer catalogue',
  details:
    'Installs no program. askd never checks for updates on its own; only this command does. ' +
    'With --check it exits with 1 if there is a newer version. ' +
    'With --catalog it downloads the list of models that askd pull offers, checks its signature and uses it.',
  examples: ['askd update', 'askd update --check && echo up to date', 'askd update --catalog'],
  configure: (commander) =>
    void commander
      .option('--check', 'exit with 1 if there is a newer version')
      .option('--catalog', 'take the newest signed catalogue of models'),
  run: (context, { options: { check = false, catalog = false } }) =>
    catalog ? updateCatalog(context) : compareVersions(context, check),
});

async function compareVersions({ environment, output, signal }: Context, check: boolean): Promise<number> {
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
}

async function updateCatalog({ connect, output }: Context): Promise<number> {
  const client = await connect();
  const updated = await client.updateCatalog();
  const { is_current: isCurrent, before, source, added, changed, removed } = updated;
  output.result({ schema: 'update-catalog/1', ...updated }, () =>
    isCurrent
      ? `${catalogText(source)} It is the newest one.`
      : renderFields([
          ['catalogue', numberOf(source)],
          ['before', numberOf(before)],
          ['new', orDash(added.join(', '))],
          ['changed', orDash(changed.join(', '))],
          ['no longer', orDash(removed.join(', '))],
        ]),
  );
  return 0;
}

function numberOf({ serial, issued, signed }: CatalogSource): string {
  return `${serial} of ${issued}, ${signed ? `signed by the key ${signed.key}` : 'came with this askd'}`;
}
