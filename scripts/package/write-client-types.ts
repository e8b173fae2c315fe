import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { packageRoot } from '../../src/base/paths.ts';
import { clientTypes } from './client-types/client-types.ts';

const file = join(packageRoot, 'dist', 'client.d.ts');
writeFileSync(file, await format(clientTypes(), { ...(await resolveConfig(file)), parser: 'typescript' }));
