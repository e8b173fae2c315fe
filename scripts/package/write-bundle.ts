import { rmSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { rolldown, type PreRenderedChunk } from 'rolldown';
import { builtFile } from '../../src/base/paths.ts';

/** What is started or imported by its path: programs, processes, threads, and what package.json exports. */
const ENTRIES: readonly string[] = [
  'cli/main',
  'daemon/diagnostics/card-check',
  'daemon/main',
  'daemon/jobs/ledger-audit-worker',
  'daemon/jobs/store-check-worker',
  'models/build-llama',
  'models/devices',
  'models/engines/diffusion/generator-worker',
  'models/runner',
  'models/try-llama',
  'src/agent/tools/code/code-worker',
  'src/agent/tools/extract/extract-worker',
  'src/client/client',
  'src/client/testing/testing',
  'src/config/secrets/keyring-worker',
  'src/library/download/hash-worker',
  'src/library/download/transfer-worker',
  'src/store/sqlite',
];

/** Joins our own modules into few files, which load faster. Packages stay where npm puts them. */
const build = await rolldown({
  cwd: builtFile('.'),
  input: Object.fromEntries(ENTRIES.map((name) => [name, `./${name}.js`])),
  external: (specifier) => !/^(\.|\/|[A-Za-z]:\\)/.test(specifier),
  platform: 'node',
});
const dir = builtFile('bundle');
rmSync(dir, { recursive: true, force: true });
// Names stay as they are written: a stack has the function, and a comment above it its source.
await build.write({ dir, format: 'esm', entryFileNames: '[name].js', chunkFileNames });
await build.close();

/** What `import()` loads is named by its source. The hash keeps files of two builds apart. */
function chunkFileNames({ facadeModuleId, isDynamicEntry }: PreRenderedChunk): string {
  if (!isDynamicEntry || !facadeModuleId) return 'shared/[name]-[hash].js';
  const source = relative(builtFile('.'), facadeModuleId).split(sep).join('/');
  return `${source.replace(/\.js$/, '')}-[hash].js`;
}
