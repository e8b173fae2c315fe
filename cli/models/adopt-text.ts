import type { FoundModel } from '../../src/api/management/adopt.ts';
import type { Artifact } from '../../src/api/management/daemon.ts';
import { formatBytes, orDash } from '../output/format.ts';
import type { Output } from '../output/output.ts';
import { renderFields, renderTable, type Column } from '../output/table.ts';

type Shown = { unreadable: readonly string[]; isDetailed: boolean };

export function foundText(models: readonly FoundModel[], shown: Shown, output: Output): string {
  const { unreadable, isDetailed } = shown;
  const problems = unreadable.map((problem) => `unreadable: ${problem}`);
  if (models.length === 0)
    return ['No models of other programs were found. askd pull downloads one.', ...problems].join('\n');
  if (isDetailed) return [...models.map(detailsOf), ...problems].join('\n\n');
  const reasons = models.flatMap(({ id, obstacle }) =>
    obstacle === undefined ? [] : [`${id}: ${obstacle}`],
  );
  return [
    renderTable(models, COLUMNS, output),
    ...(reasons.length === 0 ? [] : ['', ...reasons]),
    ...problems,
    ...nextFor(models),
  ].join('\n');
}

const COLUMNS: Column<FoundModel>[] = [
  { title: 'ID', value: ({ id }) => id, shrinks: 'middle' },
  { title: 'FROM', value: ({ program }) => program },
  { title: 'ARCH', value: ({ architecture }) => orDash(architecture), shrinks: true },
  { title: 'SIZE', value: ({ bytes }) => (bytes === 0 ? '-' : formatBytes(bytes)), align: 'right' },
  { title: 'QUANT', value: ({ quantization }) => orDash(quantization) },
  { title: 'TEMPLATE', value: ({ template }) => orDash(template), shrinks: true },
  { title: 'STATE', value: stateOf },
  { title: 'SERVES', value: (model) => orDash(model.services.map(shortService).join(', ')), shrinks: true },
];

function stateOf({ is_adopted: isAdopted, can_be_adopted: can, obstacle }: FoundModel): string {
  if (isAdopted) return 'adopted';
  if (!can) return 'unusable';
  return obstacle === undefined ? 'new' : 'no engine';
}

export function shortService(id: string): string {
  return id.replace(/^svc-|-v1$/g, '');
}

function nextFor(models: readonly FoundModel[]): string[] {
  const fresh = models.filter(({ is_adopted: isAdopted, can_be_adopted: can }) => can && !isAdopted);
  const [first] = fresh;
  if (first === undefined) return [];
  return [
    '',
    fresh.length === 1 ? `Next: askd adopt ${first.id}` : `Next: askd adopt ${first.id}, or askd adopt --all`,
  ];
}

function detailsOf(model: FoundModel): string {
  const tokens = model.context_tokens_max;
  const fields: [string, string][] = [
    ['id', model.id],
    ['from', `${model.program}, ${model.name}`],
    ['state', stateOf(model)],
    ...(model.obstacle === undefined ? [] : [['why', model.obstacle] as [string, string]]),
    ['architecture', orDash([model.architecture, model.size_label].filter((word) => word !== '').join(', '))],
    ['quantization', orDash(model.quantization)],
    ['size', formatBytes(model.bytes)],
    ['memory', formatBytes(model.memory_bytes)],
    ...(tokens > 0 ? [['max context', `${tokens} tokens`] as [string, string]] : []),
    ['template', templateText(model.template)],
    ['serves', orDash(model.services.join(', '))],
    ['file', model.path],
    ...partsOf(model),
  ];
  return renderFields(fields);
}

function templateText(template: string): string {
  if (template === 'general') return 'general: the file has no chat template of its own';
  if (template === 'own') return 'its own';
  return template === '' ? '-' : `its own, of the ${template} family`;
}

function partsOf({ defaults, unmet }: Pick<FoundModel, 'defaults' | 'unmet'>): [string, string][] {
  return [
    ...defaults.map((line): [string, string] => ['default', line]),
    ...unmet.map((line): [string, string] => ['not honoured', line]),
  ];
}

export function adoptedText({
  adopted,
  left,
}: {
  adopted: readonly Artifact[];
  left: readonly FoundModel[];
}): string {
  if (adopted.length === 0 && left.length === 0)
    return 'Nothing new: every model that askd can run is here already.';
  const lines = adopted.flatMap((artifact) => [
    `Adopted ${artifact.id} of ${artifact.origin?.program ?? 'another program'} (${formatBytes(artifact.bytes)}, nothing copied).`,
    ...(artifact.defaults ?? []).map((line) => `  default: ${line}`),
    ...(artifact.origin?.unmet ?? []).map((line) => `  not honoured: ${line}`),
    ...(artifact.obstacle === undefined ? [] : [`  not yet usable: ${artifact.obstacle}`]),
  ]);
  const reasons = left.map(({ id, obstacle = '' }) => `Left ${id}: ${obstacle}`);
  const usable = adopted.find(({ obstacle }) => obstacle === undefined);
  return [...lines, ...reasons, ...(usable ? [`Next: ${nextOf(usable)}`] : [])].join('\n');
}

function nextOf({ id, tasks }: Artifact): string {
  if (tasks.includes('chat')) return `askd chat -m ${id}, or askd bind svc-chat-v1 ${id}`;
  return tasks.includes('embed') ? `askd bind svc-embed-v1 ${id}` : `askd show ${id}`;
}
