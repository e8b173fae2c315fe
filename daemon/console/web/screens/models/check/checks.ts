import { useSyncExternalStore } from 'react';
import type { CheckProgress, CheckStep, ModelCheck } from '../../../../../../src/api/management/check.ts';
import { reach } from '../../../data/api.ts';
import { readEvents } from '../../../data/playground-key.ts';

/** A check that this page has started. It continues when its dialog is closed, and ends with the page. */
export type Checking = {
  isRunning: boolean;
  /** The step that is running. */
  name: string | null;
  steps: readonly CheckStep[];
  check?: ModelCheck;
  error?: Error;
};

type Wanted = { model: string; full?: boolean; onEnd?: () => void };

const checks = new Map<string, Checking>();
const running = new Map<string, AbortController>();
const listeners = new Set<() => void>();

export function useChecking(model: string): Checking | undefined {
  return useSyncExternalStore(listen, () => checks.get(model));
}

export function stopCheck(model: string): void {
  running.get(model)?.abort();
}

export async function startCheck({ model, full = false, onEnd }: Wanted): Promise<void> {
  if (running.has(model)) return;
  const controller = new AbortController();
  running.set(model, controller);
  patch(model, () => ({ isRunning: true, name: null, steps: [] }));
  try {
    for await (const progress of progressOf({ model, full }, controller.signal)) {
      patch(model, (now) => withProgress(now, progress));
    }
    const isComplete = checks.get(model)?.check !== undefined;
    if (!isComplete) throw new Error('The daemon stopped before the check was complete. Check it again.');
  } catch (error) {
    const stopped = new Error('Stopped.');
    patch(model, (now) => ({ ...now, error: controller.signal.aborted ? stopped : (error as Error) }));
  } finally {
    running.delete(model);
    patch(model, (now) => ({ ...now, isRunning: false, name: null }));
    onEnd?.();
  }
}

async function* progressOf(body: object, signal: AbortSignal): AsyncGenerator<CheckProgress> {
  const response = await reach('/api/daemon/check', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  });
  for await (const data of readEvents(response)) {
    const event = JSON.parse(data) as CheckProgress | { state?: never; error?: { message: string } };
    if (event.state === undefined) throw new Error(event.error?.message ?? 'The check failed.');
    yield event;
  }
}

function withProgress(now: Checking, { state, name, step, check }: CheckProgress): Checking {
  if (state === 'running') return { ...now, name };
  if (state === 'finished') return { ...now, name: null, steps: step ? [...now.steps, step] : now.steps };
  return check ? { ...now, check, steps: check.steps } : now;
}

function patch(model: string, next: (now: Checking) => Checking): void {
  checks.set(model, next(checks.get(model) ?? { isRunning: false, name: null, steps: [] }));
  for (const listener of listeners) listener();
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
