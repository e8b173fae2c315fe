import { readlinkSync } from 'node:fs';
import { readEnvironment } from '../config/config.ts';
import type { EngineName } from './manifest.ts';

/**
 * Environment variables of a runner. llama.cpp's CPU backend ties its threads to the thread that calls it, so a
 * single libuv thread keeps each decode on the same warm threads.
 */
const OF_ENGINE: Record<EngineName, Record<string, string>> = {
  llama: { UV_THREADPOOL_SIZE: '1' },
  vision: {},
  onnx: {},
  flite: {},
  diffusion: {},
  upstream: {},
  script: {},
};

/** Each token reads all of a model's weights, which is slower with small pages. */
const HUGE_PAGES = 'glibc.malloc.hugetlb=1';

/**
 * What a runner inherits from the daemon's environment, which may hold secrets. With its home and the two above,
 * these are ten names.
 */
const PASSED_ON = [
  ...['PATH', 'LANG', 'TZ'],
  ...['LD_LIBRARY_PATH', 'CUDA_VISIBLE_DEVICES', 'GGML_VK_VISIBLE_DEVICES', 'HSA_OVERRIDE_GFX_VERSION'],
];
/** Windows starts no program without them. */
const ON_WINDOWS = ['SystemRoot', 'windir', 'ComSpec', 'TEMP', 'TMP'];

/** An empty home: some libraries fail if none is set. */
const HOME = '/tmp';

export function runnerEnvironment(
  engine: EngineName,
  env: NodeJS.ProcessEnv = readEnvironment().env,
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  const names = platform === 'win32' ? [...PASSED_ON, ...ON_WINDOWS] : PASSED_ON;
  const passed = names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]));
  const timeZone = env['TZ'] ?? linkedTimeZone();
  const given = env['GLIBC_TUNABLES'];
  return {
    ...(Object.fromEntries(passed) as Record<string, string>),
    ...(platform !== 'win32' && { HOME }),
    ...(timeZone !== undefined && { TZ: timeZone }),
    ...OF_ENGINE[engine],
    GLIBC_TUNABLES: given ? `${HUGE_PAGES}:${given}` : HUGE_PAGES,
  };
}

/** In the sandbox this is no link, and Node would compare it with the file of each time zone. */
function linkedTimeZone(): string | undefined {
  try {
    return /\/zoneinfo\/(.+)$/.exec(readlinkSync('/etc/localtime'))?.[1];
  } catch {
    return undefined;
  }
}
