import type { LoadedModel } from '../../src/api/management/memory.ts';
import { formatBytes, formatDuration, formatTokens, orDash } from './format.ts';
import type { Output } from './output.ts';
import { renderTable, type Column } from './table.ts';
import { wrapText } from './wrap.ts';

export function loadedModelsTable(
  models: readonly LoadedModel[],
  output: Output,
  nowMs = Date.now(),
): string {
  const columns: Column<LoadedModel>[] = [
    { title: 'NAME', value: (model) => model.artifact, shrinks: 'middle' },
    { title: 'PID', value: (model) => orDash(model.pid), align: 'right' },
    { title: 'MEMORY', value: (model) => formatBytes(model.bytes), align: 'right' },
    { title: 'CONTEXT', value: (model) => orDash(model.context_tokens), align: 'right' },
    { title: 'CACHE', value: (model) => orDash(model.kv_cache_type) },
    { title: 'SLOTS', value: (model) => `${model.busy}/${model.slots}`, align: 'right' },
    { title: 'DEVICE', value: (model) => orDash(model.device), shrinks: true },
    { title: 'THREADS', value: (model) => orDash(model.threads), align: 'right' },
    { title: 'STAYS', value: (model) => stay(model, nowMs) },
  ];
  const notes = [
    ...models.flatMap(contextNote),
    ...models.flatMap(buildNote),
    ...models.flatMap(sandboxNote),
    ...models.flatMap(cardsNote),
    ...models.flatMap(layersNote),
    ...models.flatMap(fallbackNote),
    ...models.flatMap(draftsNote),
    ...models.flatMap(promptCacheNote),
  ];
  const wrappedNotes = notes.flatMap((note) => wrapText(note, output.width));
  return [renderTable(models, columns, output), ...wrappedNotes].join('\n');
}

/** How long it stays loaded; a model that is still loading shows its state. */
export function stay(model: LoadedModel, nowMs: number): string {
  const { state, progress, pinned, busy, queued, expires_at: expiresAt } = model;
  if (state === 'loading') return `loading ${Math.floor((progress ?? 0) * 100)} %`;
  if (state !== 'loaded') return state;
  if (pinned) return 'pinned';
  if (expiresAt !== null) return formatDuration(Date.parse(expiresAt) - nowMs);
  return busy + queued > 0 ? 'in use' : 'forever';
}

function contextNote({ artifact, context_tokens: tokens, context_reason: reason }: LoadedModel): string[] {
  return tokens === null || reason === null
    ? []
    : [`note: ${artifact} has a context of ${formatTokens(tokens)}: ${reason}.`];
}

function buildNote({ artifact, build }: LoadedModel): string[] {
  return build === 'local' ? [`note: ${artifact} uses the engine compiled on this machine.`] : [];
}

function sandboxNote({ artifact, pid, sandbox }: LoadedModel): string[] {
  return pid !== null && sandbox === null
    ? [`note: ${artifact} runs without a sandbox: askd doctor says why.`]
    : [];
}

/** A single card is in the table. */
function cardsNote({ artifact, cards }: LoadedModel): string[] {
  if (cards.length < 2) return [];
  const parts = cards.map(({ index, bytes }) => `${formatBytes(bytes)} on device ${index}`);
  return [`note: ${artifact} has about ${parts.join(', ')}.`];
}

/** If all layers are on one side, the column shows it. */
function layersNote({ artifact, layers }: LoadedModel): string[] {
  if (!layers || layers.on_cards === 0 || layers.on_cards === layers.all) return [];
  const { on_cards: onCards, all } = layers;
  return [`note: ${artifact} has ${onCards} of ${all} layers on cards; the processor computes the others.`];
}

function fallbackNote({ artifact, fallback }: LoadedModel): string[] {
  return fallback === null ? [] : [`note: ${artifact} runs on the CPU: ${fallback}.`];
}

function draftsNote({ artifact, drafts }: LoadedModel): string[] {
  if (!drafts) return [];
  const by = drafts.by === 'prompt' ? 'from the prompt' : `with ${drafts.by}`;
  const { drafted, accepted } = drafts;
  return [
    `note: ${artifact} uses speculative decoding ${by}: ${accepted} of ${drafted} draft tokens accepted.`,
  ];
}

function promptCacheNote({ artifact, prompt_cache: cache }: LoadedModel): string[] {
  if (!cache || (cache.entries === 0 && cache.hits === 0)) return [];
  const { entries, bytes, bytes_max: bytesMax, hits } = cache;
  const kept = `${entries} ${entries === 1 ? 'conversation' : 'conversations'}`;
  const used = `${formatBytes(bytes)} of ${formatBytes(bytesMax)}`;
  return [
    `note: ${artifact} keeps ${kept} in its prompt cache (${used}); ${hits} ${hits === 1 ? 'request' : 'requests'} continued one.`,
  ];
}
