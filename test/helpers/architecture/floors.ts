/** Errors, settings, paths, the log and the like, for every process. */
export const LEAVES: readonly string[] = ['src/base', 'src/config', 'src/log'];

export type Floor = {
  /** A folder, or a pattern for the files directly in one. The longest that fits a file is its floor. */
  floor: string;
  /** Other floors, single files, or `folder/**`. A floor may always import itself. */
  mayImport: readonly string[];
  /** Floors that take long to load, reached only by `import()`. */
  late?: readonly string[];
};

/** Who may import whom. ARCHITECTURE.md says why. */
export const FLOORS: readonly Floor[] = [
  { floor: 'src/base', mayImport: [] },
  { floor: 'src/config', mayImport: ['src/base'] },
  { floor: 'src/log', mayImport: ['src/base', 'src/config'] },
  { floor: 'src/api', mayImport: [] },
  { floor: 'src/client', mayImport: [] },
  { floor: 'src/client/testing', mayImport: ['src/client', 'src/api', 'src/api/http', ...LEAVES] },
  { floor: 'src/api/http', mayImport: ['src/client', 'src/api', ...LEAVES] },
  { floor: 'src/api/mcp', mayImport: ['src/api', 'src/api/http', ...LEAVES] },
  { floor: 'src/store', mayImport: LEAVES },
  { floor: 'src/events', mayImport: ['src/store', ...LEAVES] },
  { floor: 'src/net', mayImport: LEAVES },
  { floor: 'src/wallet', mayImport: ['src/events', 'src/store', 'src/net', ...LEAVES] },
  { floor: 'src/access', mayImport: ['src/events', 'src/store', ...LEAVES] },
  { floor: 'src/limits', mayImport: ['src/events', 'src/store', ...LEAVES] },
  { floor: 'src/idempotency', mayImport: ['src/events', 'src/store', ...LEAVES] },
  { floor: 'src/library', mayImport: ['src/runtime/manifest.ts', 'src/events', 'src/store', ...LEAVES] },
  { floor: 'src/gallery', mayImport: LEAVES },
  { floor: 'src/backup', mayImport: ['src/store/migrations.ts', ...LEAVES] },
  { floor: 'src/audio', mayImport: LEAVES },
  { floor: 'src/runtime', mayImport: LEAVES },
  {
    floor: 'src/upstream',
    mayImport: ['src/runtime/engine.ts', 'src/runtime/manifest.ts', 'src/audio', ...LEAVES],
  },
  {
    floor: 'src/inference',
    mayImport: [
      ...['src/wallet', 'src/limits', 'src/runtime', 'src/library', 'src/audio'],
      ...['src/events', 'src/store', ...LEAVES],
    ],
  },
  { floor: 'src/gguf', mayImport: [] },
  {
    floor: 'src/check',
    mayImport: [...['src/inference', 'src/library', 'src/runtime', 'src/store', 'src/gguf'], ...LEAVES],
  },
  {
    floor: 'src/agent',
    mayImport: [...['src/inference', 'src/responses', 'src/net', 'src/events', 'src/store'], ...LEAVES],
  },
  { floor: 'src/responses', mayImport: ['src/events', 'src/store', ...LEAVES] },
  { floor: 'src/webhooks', mayImport: ['src/events', 'src/net', 'src/store', ...LEAVES] },
  { floor: 'models/catalog', mayImport: ['src/runtime/manifest.ts', ...LEAVES] },
  {
    floor: 'models',
    mayImport: [
      ...['src/runtime/engine.ts', 'src/runtime/manifest.ts', 'src/runtime/wire.ts'],
      ...['models/catalog', 'src/audio', ...LEAVES],
    ],
  },
  { floor: 'daemon', mayImport: ['src/**', 'models/catalog'] },
  { floor: 'daemon/console/web', mayImport: ['src/api'] },
  {
    floor: 'cli',
    mayImport: [
      ...['cli/tui', 'src/api', 'src/api/http', 'src/api/mcp', 'src/backup'],
      ...['src/client', 'src/client/testing'],
      ...LEAVES,
    ],
    late: ['cli/tui', 'src/api/mcp'],
  },
  { floor: 'cli/tui', mayImport: ['cli', 'src/api', 'src/api/http', ...LEAVES] },
  { floor: 'bin', mayImport: ['cli/main.ts', 'daemon/main.ts', 'src/base/version.ts'] },
  { floor: 'scripts/setup', mayImport: [] },
  { floor: 'scripts/*.js', mayImport: ['scripts/setup'] },
  { floor: 'scripts', mayImport: ['src/**', 'models/**', 'daemon/**', 'cli/**'] },
  { floor: 'examples', mayImport: [] },
  { floor: 'test', mayImport: ['**'] },
];

/** The floors and files that may import a package; one without a row may not be imported anywhere. */
export const PACKAGES: readonly { packages: readonly string[]; homes: readonly string[] }[] = [
  { packages: ['better-sqlite3', 'better-sqlite3-node20'], homes: ['src/store'] },
  { packages: ['fastify', '@fastify/*'], homes: ['daemon'] },
  { packages: ['ajv'], homes: ['daemon', 'src/upstream', 'cli'] },
  { packages: ['ajv-formats'], homes: ['daemon', 'cli'] },
  { packages: ['cookie'], homes: ['daemon'] },
  { packages: ['stripe', 'nodemailer'], homes: ['src/wallet'] },
  { packages: ['node-llama-cpp', '@huggingface/*'], homes: ['models'] },
  { packages: ['sharp'], homes: ['models', 'cli/output/pictures/scale.ts'] },
  { packages: ['ink', 'ink-*', '@inkjs/*'], homes: ['cli/tui'] },
  { packages: ['react'], homes: ['cli/tui', 'daemon/console/web'] },
  {
    packages: ['react-dom', 'vite', '@vitejs/*', '@tanstack/*', 'wouter', 'uplot', 'marked'],
    homes: ['daemon/console/web'],
  },
  { packages: ['typebox'], homes: ['src/api/schema.ts', 'daemon/console/web'] },
  { packages: ['commander'], homes: ['cli'] },
  { packages: ['yaml'], homes: ['cli', 'src/config'] },
  { packages: ['ignore'], homes: ['cli'] },
  { packages: ['jsonc-parser'], homes: ['cli', 'daemon/console/web'] },
  { packages: ['audio-decode', '@audio/encode', 'mediabunny', '@mediabunny/*'], homes: ['models'] },
  { packages: ['phonemizer', '@bjorn3/*', '@echogarden/*'], homes: ['models'] },
  { packages: ['tinyld'], homes: ['src/inference'] },
  {
    packages: ['execa', 'node:child_process'],
    homes: [
      'src/runtime',
      'src/config/secrets/keyring.ts',
      'src/client/testing',
      'cli',
      'models',
      'scripts/setup',
      'bin/install.js',
    ],
  },
  { packages: ['@napi-rs/keyring'], homes: ['src/config/secrets/keyring-worker.ts'] },
  { packages: ['undici'], homes: ['src/library', 'src/net', 'src/upstream'] },
  { packages: ['image-size'], homes: ['daemon', 'src/upstream'] },
  { packages: ['tar'], homes: ['src/library', 'src/backup'] },
  { packages: ['@modelcontextprotocol/client'], homes: ['src/agent'] },
  { packages: ['@modelcontextprotocol/server'], homes: ['src/api/mcp', 'daemon', 'cli'] },
  { packages: ['conf'], homes: ['src/config/config.ts'] },
  { packages: ['pino', 'rotating-file-stream'], homes: ['src/log/log.ts'] },
  { packages: ['jose'], homes: ['src/access'] },
  { packages: ['ipaddr.js'], homes: ['src/net'] },
  {
    packages: ['linkedom', '@mozilla/readability', 'unpdf', 'quickjs-emscripten'],
    homes: ['src/agent'],
  },
  { packages: ['openai'], homes: [] },
];

/** They test, measure or use the product from outside, so they may use any package. */
export const FREE_FLOORS: readonly string[] = ['scripts', 'examples', 'test'];

/** Files that the operating system or another process starts, so nothing imports them. */
export const ENTRIES: readonly string[] = [
  'cli/main.ts',
  'daemon/main.ts',
  'models/runner.ts',
  'src/config/secrets/keyring-worker.ts',
  'models/engines/diffusion/generator-worker.ts',
];

/** What other programs import from the package, as package.json exports it. */
export const EXPORTS: readonly string[] = ['src/client/client.ts', 'src/client/testing/testing.ts'];

/** What the build bundles for browsers: the entry, and the floor whose packages are part of the bundle. */
export const BUNDLE_ENTRIES: readonly string[] = [
  'daemon/console/web/main.tsx',
  'daemon/console/web/vite.config.ts',
];
export const BUNDLED_FLOORS: readonly string[] = ['daemon/console/web'];

export const TOP_FOLDERS: readonly string[] = [
  'bin',
  'src',
  'daemon',
  'cli',
  'models',
  'scripts',
  'examples',
  'test',
];

const bySpecificity = [...FLOORS].sort((a, b) => folderOf(b.floor).length - folderOf(a.floor).length);

export function floorOf(path: string): Floor | undefined {
  return bySpecificity.find(({ floor }) => holds(floor, path));
}

/** `models/catalog` holds its folder and the list beside it, `models/catalog.ts`. */
function holds(floor: string, path: string): boolean {
  const folder = folderOf(floor);
  if (floor === folder) return path.startsWith(`${folder}/`) || path === `${folder}.ts`;
  const rest = path.slice(folder.length + 1);
  return (
    path.startsWith(`${folder}/`) && !rest.includes('/') && rest.endsWith(floor.slice(folder.length + 2))
  );
}

function folderOf(floor: string): string {
  return floor.replace(/\/\*.*$/, '');
}
