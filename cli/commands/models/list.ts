import type { Artifact } from '../../../src/api/management/daemon.ts';
import type { CatalogEntry } from '../../../src/api/management/library.ts';
import { command } from '../../command.ts';
import { formatBytes, orDash } from '../../output/format.ts';
import type { Output } from '../../output/output.ts';
import { renderTable, type Column } from '../../output/table.ts';

export const list = command<{ available?: true }>({
  name: 'list',
  group: 'Models:',
  summary: 'list the model files on this machine',
  examples: ['askd list', 'askd ls --json', 'askd list --available'],
  configure: (commander) => void commander.option('--available', 'also list what askd pull can download'),
  async run({ connect, output }, { options: { available } }) {
    const client = await connect();
    if (available) {
      const { catalog } = await client.catalog();
      return output.result({ schema: 'catalog/1', catalog }, () => catalogTable(catalog, output));
    }
    const { artifacts } = await client.artifacts();
    output.result({ schema: 'list/1', artifacts }, () => artifactsTable(artifacts, output));
  },
});

function artifactsTable(artifacts: readonly Artifact[], output: Output): string {
  const columns: Column<Artifact>[] = [
    { title: 'ID', value: (artifact) => artifact.id, shrinks: 'middle' },
    { title: 'FOR', value: (artifact) => orDash(artifact.tasks.join(', ')), shrinks: true },
    { title: 'SIZE', value: (artifact) => formatBytes(artifact.bytes), align: 'right' },
    { title: 'LICENCE', value: (artifact) => artifact.licence, shrinks: true },
    { title: 'STATE', value: stateOf },
    { title: 'SERVES', value: (artifact) => orDash(artifact.bound_to.join(', ')), shrinks: true },
  ];
  return renderTable(artifacts, columns, output);
}

function stateOf({ is_present: isPresent, obstacle, origin }: Artifact): string {
  if (origin?.change === 'changed') return 'changed';
  if (!isPresent) return 'missing';
  return obstacle === undefined ? 'ready' : 'no engine';
}

function catalogTable(catalog: readonly CatalogEntry[], output: Output): string {
  const columns: Column<CatalogEntry>[] = [
    { title: 'ID', value: (entry) => entry.id, shrinks: 'middle' },
    { title: 'TIER', value: (entry) => entry.tier },
    { title: 'SIZE', value: (entry) => formatBytes(entry.bytes), align: 'right' },
    {
      title: 'LICENCE',
      value: (entry) => (entry.licence_terms ? `${entry.licence}*` : entry.licence),
      shrinks: true,
    },
    { title: 'STATE', value: catalogStateOf },
    { title: 'SERVES', value: (entry) => entry.services.map(shortService).join(', '), shrinks: true },
  ];
  const table = renderTable(catalog, columns, output);
  const isRestricted = catalog.some((entry) => entry.licence_terms !== null);
  return isRestricted ? `${table}\n* you must accept the terms of this licence: askd pull shows them` : table;
}

function catalogStateOf({ is_installed: isInstalled, obstacle }: CatalogEntry): string {
  if (obstacle !== undefined) return 'no engine';
  return isInstalled ? 'installed' : 'available';
}

function shortService(id: string): string {
  return id.replace(/^svc-|-v1$/g, '');
}
