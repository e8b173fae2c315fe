import { loadSettings } from '../../src/config/config.ts';
import { Failure } from '../../src/base/errors.ts';
import type { Check } from './check.ts';

export const checkSettings: Check = async ({ environment, paths }) => {
  try {
    const { host, port } = await loadSettings(environment);
    return [{ check: 'settings', level: 'ok', message: `valid; the daemon listens on ${host}:${port}` }];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [{ check: 'settings', level: 'problem', message: error.message, fix: `correct ${paths.config}` }];
  }
};
