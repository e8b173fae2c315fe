import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { entryFile, packageRoot } from '../../../src/base/paths.ts';
import { readTree } from '../../helpers/architecture/tree.ts';

test('every process and thread that the sources start is an entry of the bundle', () => {
  const started = [...readTree(packageRoot)]
    .filter(([path]) => /^(cli|daemon|models|src)\//.test(path))
    .flatMap(([, text]) => [...text.matchAll(/\bentryFile\('([^']+)'\)/g)].map(([, name = '']) => name));
  expect(started).toEqual(
    expect.arrayContaining(['models/runner.js', 'src/config/secrets/keyring-worker.js']),
  );
  expect(started.filter((name) => !existsSync(entryFile(name)))).toEqual([]);
});

test('a stack leads to the source: functions keep their names, below the path of their file', () => {
  const text = readFileSync(entryFile('daemon/main.js'), 'utf8');
  expect(text).toMatch(/^\/\/ daemon\/main\.js$/m);
  expect(text).toMatch(/^function refuseOpenNetwork\(/m);
});
