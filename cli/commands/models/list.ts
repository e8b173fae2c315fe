import type { Artifact } from '../../../src/api/management/daemon.ts';
import type { CatalogEntry } from '../../../src/api/management/catalog.ts';
import { command } from '../../command.ts';
import { catalogText } from '../../models/catalog-text.ts';
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
      const { catalog, source, problem } = await client.catalog();
      return output.result({ schema: 'catalog/1', source, problem, catalog }, () =>
        [catalogTable(catalog, output), '', catalogText(source), ...noteOn(problem)].join('\n'),
      );
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
    { title: 'SERVES', value: servedBy, shrinks: true },
  ];
  return renderTable(artifacts, columns, output);
}

function servedBy({ bound_to: bound, fallback_for: fallbacks }: Artifact): string {
  return orDash([...bound, ...fallbacks.map((service) => `${service} (fallback)`)].join(', '));
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
    { title: 'SIZE', value: sizeOf, align: 'right' },
    {
      title: 'LICENCE',
      value: (entry) => (entry.licence_terms ? `${entry.licence}*` : entry.licence),
      shrinks: true,
    },
    { title: 'STATE', value: catalogStateOf },
    { title: 'HUB', value: comparedText },
    { title: 'SERVES', value: (entry) => entry.services.map(shortService).join(', '), shrinks: true },
  ];
  return [renderTable(catalog, columns, output), ...notesOn(catalog)].join('\n');
}

function sizeOf(entry: CatalogEntry): string {
  const shown = formatBytes(entry.bytes);
  return isEstimated(entry) ? `~${shown}` : shown;
}

function notesOn(catalog: readonly CatalogEntry[]): string[] {
  const uncompared = catalog.filter(isUncompared);
  return [
    ...(catalog.some((entry) => entry.licence_terms !== null)
      ? ['* you must accept the terms of this licence: askd pull shows them']
      : []),
    ...(catalog.some(isEstimated) ? ['~ an estimate: askd pull asks the hub for the size'] : []),
    ...(uncompared.length > 0 ? noteOnFacts(uncompared, catalog.length) : []),
  ];
}

function noteOnFacts(uncompared: readonly CatalogEntry[], all: number): string[] {
  const withoutHash = uncompared.filter(({ files }) => files.some(({ sha256 }) => sha256 === null));
  return [
    '',
    `Of these ${all}, ${uncompared.length} were never compared with the hub: their facts come from other`,
    'public projects (HUB: no). askd pull refuses a file whose hash differs from the catalogue.',
    ...(withoutHash.length > 0
      ? [`Files without a hash yet, for which the hub alone is trusted: ${withoutHash.length}.`]
      : []),
  ];
}

function noteOn(problem: string | null): string[] {
  return problem === null ? [] : [`The one that was downloaded is not used. ${problem}`];
}

/** Models that ship with askd have their own files. */
const isDownloaded = ({ tier }: CatalogEntry) => tier !== 'starter';
const isEstimated = (entry: CatalogEntry) => isDownloaded(entry) && entry.verified['bytes'] === undefined;

function isUncompared(entry: CatalogEntry): boolean {
  return isDownloaded(entry) && !entry.is_compared;
}

function comparedText(entry: CatalogEntry): string {
  return isUncompared(entry) ? 'no' : 'yes';
}

function catalogStateOf({ is_installed: isInstalled, obstacle }: CatalogEntry): string {
  if (obstacle !== undefined) return 'no engine';
  return isInstalled ? 'installed' : 'available';
}

function shortService(id: string): string {
  return id.replace(/^svc-|-v1$/g, '');
}
