import type { EngineName } from './manifest.ts';

/**
 * What a runner's environment must say before its engine starts. llama.cpp's CPU backend keeps its threads with the
 * thread that calls it, so one libuv thread keeps each decode on the same warm threads.
 */
const ENVIRONMENT: Record<EngineName, Record<string, string>> = {
  llama: { UV_THREADPOOL_SIZE: '1' },
  vision: {},
  onnx: {},
  diffusion: {},
  upstream: {},
};

export function runnerEnvironment(engine: EngineName): Record<string, string> {
  return ENVIRONMENT[engine];
}
