import { readEnvironment, type Environment } from '../config/config.ts';
import type { EngineName } from './manifest.ts';

/**
 * Environment variables of a runner. llama.cpp's CPU backend ties its threads to the thread that calls it, so one
 * libuv thread keeps each decode on the same warm threads.
 */
const OF_ENGINE: Record<EngineName, Record<string, string>> = {
  llama: { UV_THREADPOOL_SIZE: '1' },
  vision: {},
  onnx: {},
  flite: {},
  diffusion: {},
  upstream: {},
};

/** Each token walks through all of a model's weights, which is slower on small pages. */
const HUGE_PAGES = 'glibc.malloc.hugetlb=1';

export function runnerEnvironment(
  engine: EngineName,
  { glibcTunables: given }: Pick<Environment, 'glibcTunables'> = readEnvironment(),
): Record<string, string> {
  return { ...OF_ENGINE[engine], GLIBC_TUNABLES: given ? `${HUGE_PAGES}:${given}` : HUGE_PAGES };
}
