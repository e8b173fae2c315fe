import type { ModelManifest, Task } from '../runtime/manifest.ts';
import type { StepResult } from './step.ts';

export type Verdict = 'good' | 'weak' | 'broken' | 'unknown';

const PURPOSES: Readonly<Record<Task, string>> = {
  chat: 'chat',
  embed: 'embeddings',
  rerank: 'ranking',
  moderate: 'moderation',
  translate: 'translation',
  transcribe: 'transcription',
  speak: 'speech',
  draw: 'images',
};

/** Broken means that no request can rely on the model. A model that only answers badly is weak. */
export function verdictOf(steps: readonly StepResult[]): Verdict {
  if (steps.some(({ status }) => status === 'failed')) return 'broken';
  // Loading alone shows nothing about its answers.
  const judged = steps.slice(1).filter(({ status }) => status !== 'skipped');
  if (judged.length === 0) return 'unknown';
  return steps.some(({ status }) => status === 'weak') ? 'weak' : 'good';
}

/** `good for chat, tools in its own format, no vision, 41 tokens/s`. */
export function summaryOf(manifest: ModelManifest, steps: readonly StepResult[]): string {
  const purposes = purposesOf(manifest).join(' and ');
  const failure = steps.find(({ status }) => status === 'failed');
  if (failure) return `broken: ${failure.message}`;
  const verdict = verdictOf(steps);
  if (verdict === 'unknown') return `not known: ${steps.at(-1)?.message ?? 'nothing was checked'}`;
  const remarks = steps.flatMap(({ remark }) => (remark === undefined ? [] : [remark]));
  const blind = isBlindChat(manifest) ? ['no vision'] : [];
  const speed = remarks.filter((remark) => remark.endsWith('tokens/s'));
  const others = remarks.filter((remark) => !speed.includes(remark));
  const parts = [...others, ...blind, ...speed];
  const weak = steps.filter(({ status }) => status === 'weak').map(({ name }) => name);
  const start =
    verdict === 'good' ? `good for ${purposes}` : `usable for ${purposes} (weak: ${weak.join(', ')})`;
  return [start, ...parts].join(', ');
}

/** Whatever else a chat model can do, it counts as a chat model. */
function purposesOf({ tasks }: ModelManifest): string[] {
  return (tasks.includes('chat') ? (['chat'] as const) : tasks).map((task) => PURPOSES[task]);
}

function isBlindChat(manifest: ModelManifest): boolean {
  return manifest.tasks.includes('chat') && manifest.engine !== 'vision';
}
