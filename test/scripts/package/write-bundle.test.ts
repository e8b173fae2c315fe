import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { entryFile, packageRoot } from '../../../src/base/paths.ts';
import { readTree } from '../../helpers/architecture/tree.ts';

test('every process and thread that the sources start is an entry point of the bundle', () => {
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

test("the dashboard has Ink in its file, without React's slow checks and debugger", () => {
  const text = readDashboard();
  const imported = [...text.matchAll(/\bfrom "([^"]+)"|\bimport\("([^"]+)"\)/g)].map(
    ([, always, later]) => always ?? later ?? '',
  );
  expect(imported.filter((each) => !/^(?:node:|\.)/.test(each))).toEqual([]);
  expect(packagesIn(text)).toEqual(expect.arrayContaining(['ink', 'react', 'react-reconciler']));
  expect(text).not.toMatch(/^\/\/ .*node_modules.*(?:\.development|devtools)\.js$/m);
});

test('the licence of each package in the dashboard goes with it', () => {
  const licences = readFileSync(join(BUNDLE, 'licences.md'), 'utf8');
  const listed = [...licences.matchAll(/^## (\S+) \S+ \((?:MIT|ISC)\)$/gm)].map(([, name]) => name);
  expect(listed).toEqual(expect.arrayContaining(packagesIn(readDashboard())));
  expect(licences).toMatch(/^## ink \S+ \(MIT\)\n\nMIT License\n\nCopyright /m);
});

const BUNDLE = dirname(dirname(entryFile('cli/main.js')));

function readDashboard(): string {
  const folder = join(BUNDLE, 'cli', 'tui');
  const [file = ''] = readdirSync(folder).filter((name) => /^tui-.*\.js$/.test(name));
  return readFileSync(join(folder, file), 'utf8');
}

/** By the comments that name the source of what follows. */
const packagesIn = (text: string) => [
  ...new Set(
    [...text.matchAll(/^\/\/ .*node_modules\/((?:@[^/\n]+\/)?[^/\n]+)\//gm)].map(([, name = '']) => name),
  ),
];
