import type { Artifact } from '../../../src/api/management/daemon.ts';
import type { CatalogEntry } from '../../../src/api/management/catalog.ts';
import type { Pull } from '../../../src/api/management/library.ts';
import { contextOf, formatBytes, formatDuration, orDash } from '../../output/format.ts';
import { fields, heading, line, span, type Line, type Span } from '../render/lines.ts';
import type { Screen } from '../screen.ts';
import type { State } from '../state/state.ts';
import { progressBar, type Theme } from '../render/theme.ts';

export type ModelRow =
  | { kind: 'pull'; id: string; pull: Pull }
  | { kind: 'here'; id: string; artifact: Artifact; isLoaded: boolean }
  | { kind: 'available'; id: string; entry: CatalogEntry };

export const modelsScreen: Screen<ModelRow> = {
  title: 'Models',
  rows: modelRows,
  id: ({ id }) => id,
  empty: 'No models yet. p downloads one, a lists what is available.',
  columns: () => [
    { title: 'MODEL', value: nameOf, width: 'rest' },
    { title: 'STATE', value: stateOf, width: 14 },
    { title: 'SIZE', value: (row) => formatBytes(bytesOf(row)), width: 8, align: 'right' },
    { title: 'FOR', value: tasksOf, width: 12 },
    { title: 'SERVES', value: servesOf, width: 18, from: 76 },
  ],
  detail: (state, row, { width }, theme) => (row ? detailOf(state, row, width, theme) : []),
};

function modelRows({ data, pulls, status, showsAvailable }: State): readonly ModelRow[] | undefined {
  const { artifacts, catalog = [] } = data;
  if (artifacts === undefined) return undefined;
  const loaded = new Set(status?.models.map(({ artifact }) => artifact));
  const available = showsAvailable ? catalog.filter((entry) => !entry.is_installed) : [];
  return [
    ...pulls.map((pull): ModelRow => ({ kind: 'pull', id: pull.id, pull })),
    ...artifacts.map((artifact): ModelRow => ({
      kind: 'here',
      id: artifact.id,
      artifact,
      isLoaded: loaded.has(artifact.id),
    })),
    ...available.map((entry): ModelRow => ({ kind: 'available', id: entry.id, entry })),
  ];
}

export function nameOf(row: ModelRow): string {
  return row.kind === 'pull' ? row.pull.artifact : row.id;
}

function stateOf(row: ModelRow): Span {
  if (row.kind === 'pull') {
    const share = row.pull.bytes_received / Math.max(1, row.pull.bytes_total);
    return span(
      row.pull.state === 'queued'
        ? 'queued'
        : `${row.pull.state} ${Math.floor(share * 100)} %`.replace('downloading', 'coming'),
      { color: 'yellow' },
    );
  }
  if (row.kind === 'available') return span(row.entry.obstacle ? 'no engine' : 'available', { dim: true });
  if (!row.artifact.is_present) return span('missing', { color: 'red' });
  if (row.artifact.obstacle) return span('no engine', { color: 'red' });
  return row.isLoaded ? span('in memory', { color: 'green' }) : span('ready');
}

function bytesOf(row: ModelRow): number {
  if (row.kind === 'pull') return row.pull.bytes_total;
  return row.kind === 'here' ? row.artifact.bytes : row.entry.bytes;
}

function tasksOf(row: ModelRow): string {
  if (row.kind === 'pull') return '';
  return orDash((row.kind === 'here' ? row.artifact : row.entry).tasks.join(', '));
}

function servesOf(row: ModelRow): string {
  if (row.kind === 'pull') return orDash(row.pull.service);
  return orDash(row.kind === 'here' ? row.artifact.bound_to.join(', ') : row.entry.services.join(', '));
}

function detailOf(state: State, row: ModelRow, width: number, theme: Theme): readonly Line[] {
  if (row.kind === 'pull') return pullDetail(row.pull, width, theme);
  if (row.kind === 'available') return availableDetail(row.entry, width);
  const { artifact } = row;
  const memory = state.status?.models.find((model) => model.artifact === artifact.id);
  return [
    heading(artifact.id),
    ...fields(
      [
        ['name', artifact.name],
        ['engine', `${artifact.engine}, ${artifact.tier}`],
        ['size', sizeOf(artifact)],
        ['licence', artifact.licence],
        ['serves', orDash(artifact.bound_to.join(', '))],
        ...(artifact.aliases.length > 0 ? [['also', artifact.aliases.join(', ')] as const] : []),
        ...(memory
          ? [
              [
                'memory',
                `${formatBytes(memory.bytes)} on ${orDash(memory.device)}, ${memory.busy}/${memory.slots} busy`,
              ] as const,
            ]
          : []),
        ...(artifact.obstacle ? [['obstacle', span(artifact.obstacle, { color: 'red' })] as const] : []),
        ...(artifact.notice ? [['notice', artifact.notice] as const] : []),
        ['path', artifact.path],
      ],
      width,
    ),
  ];
}

function sizeOf(artifact: Artifact): string {
  const tokens = contextOf(artifact);
  const size = formatBytes(artifact.bytes);
  return tokens === undefined ? size : `${size}, ${tokens} tokens of context at most`;
}

function pullDetail(pull: Pull, width: number, { glyphs }: Theme): readonly Line[] {
  const share = pull.bytes_received / Math.max(1, pull.bytes_total);
  const speed = pull.bytes_per_second === null ? '' : `, ${formatBytes(pull.bytes_per_second)}/s`;
  const left = pull.eta_seconds === null ? '' : `, ${formatDuration(pull.eta_seconds * 1000)} left`;
  return [
    heading(`${pull.artifact} is ${pull.state}`),
    line(
      span(progressBar(share, Math.min(40, width - 8), glyphs), { color: 'cyan' }),
      ` ${Math.floor(share * 100)} %`,
    ),
    line(`${formatBytes(pull.bytes_received)} of ${formatBytes(pull.bytes_total)}${speed}${left}`),
    line(`${formatBytes(pull.bytes_verified)} verified`),
    ...(pull.state === 'paused'
      ? [line(span(`To resume it: askd pull --resume ${pull.model}`, { dim: true }))]
      : []),
    ...(pull.waiting ? [line(span(`waiting: ${pull.waiting.reason}`, { color: 'yellow' }))] : []),
    ...fields(
      [
        ['licence', pull.licence],
        ['serves', orDash(pull.service)],
        ['why', orDash(pull.reason)],
      ],
      width,
    ),
  ];
}

function availableDetail(entry: CatalogEntry, width: number): readonly Line[] {
  return [
    heading(entry.id),
    ...fields(
      [
        ['name', entry.name],
        ['size', `${formatBytes(entry.bytes)} (${entry.tier})`],
        ['licence', entry.licence_terms ? `${entry.licence}: ${entry.licence_terms.summary}` : entry.licence],
        ['for', entry.services.join(', ')],
        ...(entry.obstacle ? [['obstacle', span(entry.obstacle, { color: 'red' })] as const] : []),
      ],
      width,
    ),
    line(span('p downloads it.', { dim: true })),
  ];
}
