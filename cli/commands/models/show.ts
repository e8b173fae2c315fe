import type { Artifact } from '../../../src/api/management/daemon.ts';
import type { Model } from '../../../src/api/management/models.ts';
import { command } from '../../command.ts';
import { contextOf, formatBytes, formatTokens, orDash } from '../../output/format.ts';
import { renderFields } from '../../output/table.ts';
import { wrapFields } from '../../output/wrap.ts';

type Field = readonly [name: string, value: string];

export const show = command({
  name: 'show',
  group: 'Models:',
  summary: 'show details of a model',
  examples: ['askd show svc-chat-v1', 'askd show my-model --json'],
  configure: (commander) => void commander.argument('<model>', 'id of a service model or of an artifact'),
  async run({ connect, output }, { args: [id = ''] }) {
    const client = await connect();
    const [model, { artifacts }] = await Promise.all([client.model(id), client.artifacts()]);
    const artifact = artifacts.find((each) => each.id === model.local.artifact) ?? null;
    output.result({ schema: 'show/1', model, artifact }, () => showText(model, artifact, output.width));
  },
});

function showText(model: Model, artifact: Artifact | null, width: number): string {
  const notice = model.local.notice ?? artifact?.notice;
  const fields = [
    ...modelFields(model),
    ...(artifact === null ? [] : artifactFields(artifact)),
    ...(notice === undefined ? [] : [['notice', notice] as const]),
  ];
  return renderFields(wrapFields(fields, width));
}

function modelFields({ id, category, status, capabilities, pricing, specifications, local }: Model): Field[] {
  const able = Object.keys(capabilities).filter((name) => capabilities[name]);
  return [
    ['id', id],
    ['category', category],
    ['status', status],
    ['state', local.state],
    ...(local.fallbacks ? [['fallbacks', local.fallbacks.join(', ')] as const] : []),
    ...contextFields(local),
    ['capabilities', orDash(able.map(spaced).join(', '))],
    ...recordFields(specifications),
    ...recordFields(pricing),
  ];
}

function contextFields(local: Model['local']): Field[] {
  const { context_tokens: tokens, context_reason: reason } = local;
  const { kv_cache_type: type, flash_attention: flash } = local;
  const why = reason === undefined ? '' : ` (${reason})`;
  const context: Field[] = tokens === null ? [] : [['context', `${formatTokens(tokens)}${why}`]];
  if (type === undefined || flash === undefined) return context;
  return [...context, ['kv cache type', type], ['flash attention', flash]];
}

function artifactFields(artifact: Artifact): Field[] {
  const contextTokens = contextOf(artifact);
  return [
    ['artifact', artifact.id],
    ['name', artifact.name],
    ['engine', artifact.engine],
    ['licence', artifact.licence],
    ['size', formatBytes(artifact.bytes)],
    ...(contextTokens === undefined ? [] : [['max context', `${contextTokens} tokens`] as const]),
    ['file', artifact.path],
    ...originFields(artifact),
    ...voiceFields(artifact),
    ...checkFields(artifact),
    ...Object.entries(artifact.card ?? {}),
    ['bound to', orDash(artifact.bound_to.join(', '))],
    ...(artifact.fallback_for.length > 0
      ? [['fallback for', artifact.fallback_for.join(', ')] as const]
      : []),
  ];
}

function originFields({ origin, defaults = [] }: Artifact): Field[] {
  const from: Field[] = origin
    ? [
        ['from', `${origin.program}, ${origin.name}${origin.change ? ` (${origin.change} there)` : ''}`],
        ...origin.unmet.map((part): Field => ['not honoured', part]),
      ]
    : [];
  return [...from, ...defaults.map((line): Field => ['default', line])];
}

function voiceFields({ voices = {} }: Artifact): Field[] {
  const pairs = Object.entries(voices).map(([name, own]) => `${name} = ${own}`);
  return pairs.length === 0 ? [] : [['voices', pairs.join(', ')]];
}

function checkFields({ check }: Artifact): Field[] {
  if (!check) return [];
  const [day = ''] = check.checked_at.split('T');
  const troubles = check.steps.filter(({ status }) => status === 'weak' || status === 'failed');
  return [
    ['checked', `${day}: ${check.summary}`],
    ...troubles.map(({ name, message }): Field => [`check, ${name}`, message]),
    ...speedFields(check.tokens_per_second),
  ];
}

function speedFields(speeds: Readonly<Record<string, number>>): Field[] {
  const parts = Object.entries(speeds).map(([streams, speed]) => `${speed} at ${streams}`);
  return parts.length === 0 ? [] : [['tokens/s by streams', parts.join(', ')]];
}

function recordFields(record: Record<string, string | number>): Field[] {
  return Object.entries(record).map(([name, value]) => [spaced(name), String(value)] as const);
}

function spaced(name: string): string {
  return name.replaceAll('_', ' ');
}
