import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkArchitecture } from './helpers/architecture.ts';
import { ALLOWED, VIOLATIONS } from './helpers/architecture/planted.ts';
import { readTree, type Tree } from './helpers/architecture/tree.ts';

const TREE = readTree(join(import.meta.dirname, '..'));
const ENTRIES = {
  'bin/planted.js': "await import('../dist/cli/main.js');\nawait import('../dist/daemon/main.js');\n",
  'cli/main.ts': TREE.get('cli/main.ts') ?? 'export {};\n',
  'daemon/main.ts': TREE.get('daemon/main.ts') ?? "export const runner = '../models/runner.js';\n",
  'models/runner.ts': TREE.get('models/runner.ts') ?? 'export {};\n',
};

test('the repository keeps its own rules', { timeout: 600_000 }, () => {
  expect(checkArchitecture(TREE)).toEqual([]);
});

describe.each(Object.entries(VIOLATIONS))('the rule %s catches violations', (rule, violations) => {
  test.each(violations)('%s', (expected, text) => {
    const [place = '', path = ''] = /^(\S+):\d+ /.exec(expected) ?? [];
    const findings = findingsOf(rule, { [path]: text }).filter((finding) => finding.startsWith(place));
    expect(findings).toHaveLength(1);
    expect(findings[0]?.slice(0, expected.length)).toBe(expected);
  });
});

test('the rule cycles catches a circle once, though only types close it', () => {
  const circle = findingsOf('cycles', {
    'src/net/planted-a.ts': "\nimport { b } from './planted-b.ts';\n",
    'src/net/planted-b.ts': "import { c } from './planted-c.ts';\n",
    'src/net/planted-c.ts': "import type { A } from './planted-a.ts';\n",
  });
  expect(circle).toEqual([
    'src/net/planted-a.ts:2 cycles: imports go in a circle: src/net/planted-a.ts -> src/net/planted-b.ts -> src/net/planted-c.ts -> src/net/planted-a.ts. Move what both need into a file of its own, below them.',
  ]);
});

test('the rule lengths catches a top folder without a README', () => {
  const bare = new Map([...TREE].filter(([path]) => path !== 'scripts/README.md'));
  expect(checkArchitecture(bare)).toContain(
    'scripts/README.md:1 lengths: the folder has no README.md. Say in at most 25 lines what belongs in scripts.',
  );
});

test('the rule map catches a wrong row of ARCHITECTURE.md', () => {
  const text = TREE.get('ARCHITECTURE.md') ?? '';
  const line = text.split('\n').findIndex((row) => row.startsWith('| `bin`')) + 1;
  expect(
    findingsOf('map', { 'ARCHITECTURE.md': text.replace(/^\| `bin` +\| yes/m, '| `bin` | not yet') }),
  ).toEqual([
    `ARCHITECTURE.md:${line} map: the table of floors is wrong about bin. Its row begins | \`bin\` | yes | \`cli/main.ts\` \`daemon/main.ts\` \`src/base/version.ts\` |.`,
  ]);
});

test('the rule map catches a floor that ARCHITECTURE.md leaves out', () => {
  const findings = findingsOf('map', { 'ARCHITECTURE.md': '# Architecture\n' });
  expect(
    findings.filter((finding) => finding.includes(' src/net. Its row begins | `src/net` | ')),
  ).toHaveLength(1);
});

test('the rule crowding catches a folder with too many files side by side', () => {
  const files = Array.from({ length: 26 }, (_, index) => [`src/net/planted-${index}.ts`, 'export {};\n']);
  expect(findingsOf('crowding', Object.fromEntries(files) as Record<string, string>)).toEqual([
    expect.stringMatching(
      /^src\/net:1 crowding: \d+ files and folders side by side, more than 25\. Group them/,
    ),
  ]);
});

test('the rule crowding catches a floor whose root is full', () => {
  const files = Array.from({ length: 12 }, (_, index) => [`bin/planted-${index}.js`, 'export {};\n']);
  expect(findingsOf('crowding', Object.fromEntries(files) as Record<string, string>)).toEqual([
    expect.stringMatching(/^bin:1 crowding: \d+ files directly in it, more than 12\. Move them/),
  ]);
});

test('the rule reachable catches a file that nothing uses', () => {
  const tree = new Map([...TREE, ...Object.entries(ENTRIES)]);
  expect(findingsOf('reachable', { 'src/net/planted.ts': 'export {};\n' }, tree)).toEqual([
    'src/net/planted.ts:1 reachable: nothing that bin starts reaches this file. Import it where it is needed, start it by a literal path, or delete it.',
  ]);
});

test('the rule reachable catches an entry that nothing starts', () => {
  const tree = new Map([...TREE, ...Object.entries(ENTRIES), ['daemon/main.ts', 'export {};\n']]);
  const findings = checkArchitecture(tree).filter((finding) =>
    finding.startsWith('daemon/jobs/ledger-audit-worker.ts:1 reachable:'),
  );
  expect(findings).toHaveLength(1);
});

test.each(ALLOWED)('the rule %s allows %s in %s', (rule, _what, path, text) => {
  expect(findingsOf(rule, { [path]: text })).toEqual([]);
});

/** What one rule reports about a copy of the repository with these files added, beyond what it reports anyway. */
function findingsOf(rule: string, planted: Record<string, string>, tree: Tree = TREE): string[] {
  const before = new Set(checkArchitecture(tree, rule));
  const after = checkArchitecture(new Map([...tree, ...Object.entries(planted)]), rule);
  return after.filter((finding) => !before.has(finding));
}
