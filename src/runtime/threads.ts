import type { ModelManifest, Task } from './manifest.ts';

type Environment = Record<string, string>;

/**
 * What a runner's environment must say before its engine starts. llama.cpp's CPU backend keeps its threads with the
 * thread that calls it, so one libuv thread keeps each decode on the same warm threads; but texts that are read side by
 * side need a thread each.
 */
export function runnerEnvironment({ engine, tasks }: Pick<ModelManifest, 'engine' | 'tasks'>): Environment {
  const readsOnly = tasks.every((task) => READING.has(task));
  return engine === 'llama' && !readsOnly ? { UV_THREADPOOL_SIZE: '1' } : {};
}

const READING: ReadonlySet<Task> = new Set(['embed', 'rerank']);
