import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Finding } from '../../src/api/management/library.ts';
import { entryFile } from '../../src/base/paths.ts';
import type { Check } from './check.ts';

type Backend = { name: string; works: boolean; devices: string[]; reason?: string };

const LOOK_MS_MAX = 60_000;

/** In a child process: a native library that fails to load may crash it. */
export const checkDevices: Check = async ({ environment, signal }) => {
  const { stdout } = await promisify(execFile)(process.execPath, [entryFile('models/devices.js')], {
    env: environment.env,
    timeout: LOOK_MS_MAX,
    signal,
  }).catch((error: Error) => ({ stdout: `${JSON.stringify({ backends: [failed(error)] })}` }));
  const { backends } = JSON.parse(stdout.slice(stdout.lastIndexOf('{"backends"'))) as { backends: Backend[] };
  return describe(backends);
};

function failed({ message }: Error): Backend {
  return { name: 'cpu', works: false, devices: [], reason: message.split('\n')[0] ?? '' };
}

export function describe(backends: readonly Backend[]): Finding[] {
  const cpu = backends.find(({ name }) => name === 'cpu');
  const engine: Finding =
    cpu?.works === true
      ? { check: 'engine llama', level: 'ok', message: 'loads and computes' }
      : {
          check: 'engine llama',
          level: 'problem',
          message: `does not load: ${cpu?.reason ?? 'no reason given'}`,
          fix: 'npm rebuild node-llama-cpp, in the folder of askd',
        };
  const found = backends.filter(({ name, works, devices }) => name !== 'cpu' && works && devices.length > 0);
  if (found.length > 0) {
    const names = found.map(({ name, devices }) => `${devices.join(', ')} via ${name}`);
    return [engine, { check: 'GPU', level: 'ok', message: names.join('; ') }];
  }
  const reasons = backends
    .filter(({ name }) => name !== 'cpu')
    .map(({ name, works, reason }) => `${name}: ${works ? 'driver found, but no GPU' : (reason ?? '-')}`);
  const fix = 'if this machine has a GPU, install its driver; without one models run on the CPU';
  return [engine, { check: 'GPU', level: 'warning', message: `none (${reasons.join('; ')})`, fix }];
}
