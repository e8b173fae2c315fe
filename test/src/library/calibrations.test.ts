import { expect, test } from 'vitest';
import { createCalibrations } from '../../../src/library/calibrations.ts';
import type { ModelManifest } from '../../../src/runtime/manifest.ts';
import { openAccounts } from '../../helpers/accounts/accounts.ts';

function manifest(path: string): ModelManifest {
  const rest = { path, bytes: 1, contextTokensMax: 64, licence: 'none' };
  return { id: 'm', name: 'm', engine: 'llama', tasks: ['chat'], services: [], tier: 'imported', ...rest };
}

test('a measured thread count is known from then on, for that file only', () => {
  const calibrations = createCalibrations(openAccounts());
  expect(calibrations.threadsFor(manifest('/a'))).toBeUndefined();
  calibrations.keep(manifest('/a'), { threads: 2, measurements: [{ threads: 2, msPerToken: 1 }] });
  expect(calibrations.threadsFor(manifest('/a'))).toBe(2);
  expect(calibrations.threadsFor(manifest('/b'))).toBeUndefined();
  calibrations.keep(manifest('/a'), { threads: 1, measurements: [] });
  expect(calibrations.threadsFor(manifest('/a'))).toBe(1);
});
