import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
// @ts-expect-error Runs before anything is compiled, so it is plain JavaScript.
import { headersBeside } from '../../../scripts/setup/setup.js';
import { temporaryFolder } from '../../helpers/temporary.ts';

type Headers = (execPath: string, version: string, env: Record<string, string>) => object;
const find = headersBeside as Headers;

function nodeWithHeaders([major, minor, patch]: [number, number, number]) {
  const prefix = temporaryFolder();
  mkdirSync(join(prefix, 'include', 'node'), { recursive: true });
  const lines = [`MAJOR_VERSION ${major}`, `MINOR_VERSION ${minor}`, `PATCH_VERSION ${patch}`];
  const text = lines.map((line) => `#define NODE_${line}\n`).join('');
  writeFileSync(join(prefix, 'include', 'node', 'node_version.h'), text);
  return { prefix, execPath: join(prefix, 'bin', 'node') };
}

test('the headers beside this Node are used, so that nothing is downloaded to compile a package', () => {
  const { prefix, execPath } = nodeWithHeaders([20, 20, 2]);
  expect(find(execPath, 'v20.20.2', {})).toEqual({ npm_config_nodedir: prefix });
});

test('headers of another version are not used, nor if others are configured or none exist', () => {
  const { execPath } = nodeWithHeaders([18, 1, 0]);
  expect(find(execPath, 'v20.20.2', {})).toEqual({});
  const named = { NPM_CONFIG_NODEDIR: '/opt/node' };
  expect(find(nodeWithHeaders([20, 20, 2]).execPath, 'v20.20.2', named)).toEqual({});
  expect(find(join(temporaryFolder(), 'bin', 'node'), 'v20.20.2', {})).toEqual({});
});
