import type { LoadedModel } from '../src/api/daemon.ts';
import { formatBytes, formatDuration, orDash } from './format.ts';
import type { Output } from './output.ts';
import { renderTable, type Column } from './table.ts';

export function loadedModelsTable(
  models: readonly LoadedModel[],
  output: Output,
  nowMs = Date.now(),
): string {
  const columns: Column<LoadedModel>[] = [
    { title: 'NAME', value: (model) => model.artifact, shrinks: true },
    { title: 'PID', value: (model) => orDash(model.pid), align: 'right' },
    { title: 'MEMORY', value: (model) => formatBytes(model.bytes), align: 'right' },
    { title: 'CONTEXT', value: (model) => orDash(model.context_tokens), align: 'right' },
    { title: 'SLOTS', value: (model) => `${model.busy}/${model.slots}`, align: 'right' },
    { title: 'DEVICE', value: (model) => orDash(model.device), shrinks: true },
    { title: 'THREADS', value: (model) => orDash(model.threads), align: 'right' },
    { title: 'LOADED', value: (model) => loadedSince(model, nowMs) },
  ];
  return renderTable(models, columns, output);
}

function loadedSince({ state, loaded_at: loadedAt }: LoadedModel, nowMs: number): string {
  return state === 'loading' || loadedAt === null
    ? state
    : `${formatDuration(nowMs - Date.parse(loadedAt))} ago`;
}
