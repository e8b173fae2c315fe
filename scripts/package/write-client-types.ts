import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { packageRoot } from '../../src/base/paths.ts';
import { clientTypes } from './client-types/client-types.ts';
import { TESTING_TYPES } from './client-types/testing.ts';

for (const [name, types] of [
  ['client.d.ts', clientTypes()],
  ['testing.d.ts', TESTING_TYPES],
] as const) {
  const file = join(packageRoot, 'dist', name);
  writeFileSync(file, await format(types, { ...(await resolveConfig(file)), parser: 'typescript' }));
}
