import { rmSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { rolldown, type Plugin, type PreRenderedChunk } from 'rolldown';
import { builtFile } from '../../src/base/paths.ts';
import { licencesOf } from './licences.ts';

/** Everything that is started or imported by path: programs, processes, threads, and what package.json exports. */
const ENTRIES: readonly string[] = [
  'cli/main',
  'daemon/diagnostics/card-check',
  'daemon/main',
  'daemon/jobs/audit-log-worker',
  'daemon/jobs/ledger-audit-worker',
  'daemon/jobs/store-check-worker',
  'models/build-llama',
  'models/devices',
  'models/engines/diffusion/generator-worker',
  'models/runner',
  'models/try-llama',
  'src/agent/tools/code/code-worker',
  'src/agent/tools/extract/extract-worker',
  'src/base/version',
  'src/client/client',
  'src/client/testing/testing',
  'src/config/secrets/keyring-worker',
  'src/library/download/hash-worker',
  'src/library/download/transfer-worker',
  'src/store/checkpoint-worker',
  'src/store/sqlite',
];

/**
 * Packages of many files that every start waits for. Ink imports 520, 415 of them for one function, and node-llama-cpp
 * about as many, most of them to compile llama.cpp: bundled, they load in a third of the time.
 */
const JOINED = /^(?:ink|react|node-llama-cpp)(?:\/|$)/;
/** Never bundled: native, absent, or loaded by our own modules anyway. */
const APART = /^(?:@node-llama-cpp|@reflink|electron|@huggingface)(?:\/|$)/;
const isPackage = (specifier: string) => !/^(\.|\/|[A-Za-z]:\\)/.test(specifier);
const isOurs = (importer: string | undefined) => !importer?.split(/[\\/]/).includes('node_modules');

/** With DEV=true in its environment, Ink would look for a debugger of React. */
const withoutDebugger: Plugin = {
  name: 'without-debugger',
  transform: (code, id) => (/[\\/]ink[\\/]build[\\/]/.test(id) ? code.replaceAll('isDev()', 'false') : null),
};

/** It finds its prebuilt libraries and its sources beside its own files. */
const beside: Plugin = {
  name: 'beside',
  transform(code, id) {
    const [, file] = /[\\/]node-llama-cpp[\\/]dist[\\/](.+)$/.exec(id) ?? [];
    if (file === undefined || !code.includes('import.meta.url')) return null;
    const place = JSON.stringify(file.replaceAll('\\', '/'));
    return code.replaceAll(
      'import.meta.url',
      `new URL(${place}, import.meta.resolve('node-llama-cpp')).href`,
    );
  },
};

/** Bundles our own modules and Ink into a few files, which load faster. Other packages stay where npm puts them. */
const build = await rolldown({
  cwd: builtFile('.'),
  input: Object.fromEntries(ENTRIES.map((name) => [name, `./${name}.js`])),
  external: (specifier, importer) =>
    APART.test(specifier) || (isPackage(specifier) && isOurs(importer) && !JOINED.test(specifier)),
  platform: 'node',
  plugins: [withoutDebugger, beside],
  // Its downloader is not used.
  treeshake: { moduleSideEffects: [{ test: /[\\/]node-llama-cpp[\\/]/, sideEffects: false }] },
  // React uses it to skip its development checks, which are slow.
  transform: { define: { 'process.env.NODE_ENV': "'production'" } },
});
const dir = builtFile('bundle');
rmSync(dir, { recursive: true, force: true });
// Names stay as they are written: a stack shows the function, and a comment above it its source.
const { output } = await build.write({
  dir,
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames,
  // A third of node-llama-cpp is documentation.
  comments: { jsdoc: false },
});
await build.close();
writeFileSync(
  join(dir, 'licences.md'),
  licencesOf(output.flatMap((each) => (each.type === 'chunk' ? each.moduleIds : []))),
);

/** Modules loaded by `import()` are named after their source. The hash keeps files of two builds apart. */
function chunkFileNames({ facadeModuleId, isDynamicEntry }: PreRenderedChunk): string {
  if (!isDynamicEntry || !facadeModuleId) return 'shared/[name]-[hash].js';
  const source = relative(builtFile('.'), facadeModuleId).split(sep).join('/');
  return `${source.replace(/\.js$/, '')}-[hash].js`;
}
