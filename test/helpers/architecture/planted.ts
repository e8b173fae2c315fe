/** The start of the expected report, and the text of the file that it is about. */
export type Violation = [finding: string, text: string];

export const VIOLATIONS: Record<string, Violation[]> = {
  floors: [
    [
      'src/wallet/planted.ts:1 floors: src/wallet may not import src/access/keys.ts (src/access). It may import src/events, src/store, src/net, src/base, src/config, src/log. Take',
      "import type { Key } from '../access/keys.ts';\n",
    ],
    [
      'src/base/planted.ts:2 floors: src/base may not import src/store/store.ts (src/store). It may import nothing but its own files.',
      "\nexport { open } from '../store/store.ts';\n",
    ],
    [
      'src/library/planted.ts:1 floors: src/library may not import src/runtime/pool.ts (src/runtime).',
      "export type Kept = import('../runtime/pool.ts').Pool;\n",
    ],
    [
      'models/engines/planted.ts:1 floors: models may not import src/runtime/pool.ts (src/runtime).',
      "const pool = await import('../../src/runtime/pool.ts');\n",
    ],
    [
      'models/catalog/planted.ts:1 floors: models/catalog may not import models/engines/llama.ts (models).',
      "import { llama } from '../engines/llama.ts';\n",
    ],
    [
      'daemon/planted.ts:1 floors: daemon may not import models/engines/llama.ts (models).',
      "import { llama } from '../models/engines/llama.ts';\n",
    ],
    [
      'cli/planted.ts:1 floors: cli may not import src/store/store.ts (src/store).',
      "import { openStore } from '../src/store/store.ts';\n",
    ],
    [
      'cli/planted.ts:1 floors: cli may not import cli/tui at start. Load it with await import()',
      "import { App } from './tui/App.tsx';\n",
    ],
    [
      'src/planted/planted.ts:1 floors: no floor holds this file. Move the file to the floor it serves',
      'export {};\n',
    ],
    [
      'daemon/planted.ts:1 floors: daemon may not import test/helpers/boot.ts (test).',
      "import { boot } from '../test/helpers/boot.ts';\n",
    ],
  ],
  packages: [
    [
      'daemon/planted.ts:1 packages: better-sqlite3 is imported only in src/store. Import what src/store makes of it.',
      "import Database from 'better-sqlite3';\n",
    ],
    [
      'src/api/planted.ts:1 packages: fastify is imported only in daemon.',
      "import type { FastifyInstance } from 'fastify';\n",
    ],
    [
      'src/inference/planted.ts:1 packages: @huggingface/transformers is imported only in models.',
      "const { pipeline } = await import('@huggingface/transformers');\n",
    ],
    [
      'models/catalog/planted.ts:1 packages: node-llama-cpp is imported only in models.',
      "import { getLlama } from 'node-llama-cpp';\n",
    ],
    [
      'src/api/planted.ts:1 packages: typebox is imported only in src/api/schema.ts and daemon/console/web.',
      "import type { Static } from 'typebox';\n",
    ],
    [
      'daemon/planted.ts:1 packages: commander is imported only in cli.',
      "import { Command } from 'commander';\n",
    ],
    [
      'daemon/planted.ts:1 packages: node:child_process is imported only in src/runtime and src/config/secrets/keyring.ts and src/client/testing and cli and models and scripts/setup and bin/install.js.',
      "import { spawn } from 'node:child_process';\n",
    ],
    [
      'src/base/paths.ts:1 packages: conf is imported only in src/config/config.ts.',
      "import Conf from 'conf';\n",
    ],
    [
      'src/net/planted.ts:1 packages: package.json does not declare left-pad. Add it to dependencies',
      "import leftPad from 'left-pad/lib/pad.js';\n",
    ],
    [
      'src/net/planted.ts:1 packages: package.json does not declare fs. Add it to dependencies, or write node:fs',
      "import { readFileSync } from 'fs';\n",
    ],
    ['cli/planted.ts:1 packages: package.json does not declare openai.', "import OpenAI from 'openai';\n"],
    [
      'scripts/planted.js:1 packages: execa is not there before the first install. Use what Node brings',
      "import { execa } from 'execa';\n",
    ],
  ],
  sizes: [
    [
      'src/net/planted.ts:301 sizes: the file has 301 lines, more than 300. Split it',
      'export const row = 1;\n'.repeat(301),
    ],
    [
      'src/net/planted.ts:2 sizes: long has 71 lines of its own, more than 70. Name its steps',
      `\nexport const long = () => {\n${'  step();\n'.repeat(69)}};\n`,
    ],
    [
      'src/net/planted.ts:1 sizes: createAll has 152 lines, more than 150. Split the factory',
      `export function createAll() {\n${'  function step() {\n    return 1;\n  }\n'.repeat(50)}}\n`,
    ],
  ],
  reserved: [
    [
      'src/net/planted.ts:1 reserved: process.env is reserved for src/config/environment.ts. Take the setting as an argument',
      'export const host = process.env.ASKD_HOST;\n',
    ],
    [
      'src/net/planted.ts:1 reserved: process.env is reserved for src/config/environment.ts.',
      "export const host = globalThis.process['env'];\n",
    ],
    [
      'src/net/planted.ts:1 reserved: process.env is reserved for src/config/environment.ts.',
      "import { env as settings } from 'node:process';\n",
    ],
    [
      'daemon/planted.ts:3 reserved: process.exit is reserved for bin. Throw a Failure, or return',
      '\n\nprocess.exit(1);\n',
    ],
    ['cli/planted.ts:1 reserved: process.exit is reserved for bin.', 'const { exit } = process;\n'],
  ],
  names: [
    ['src/net/index.ts:1 names: a file called index says nothing. Name it after', 'export {};\n'],
    ['src/net/webHook.ts:1 names: webHook.ts is not kebab-case. Rename it', 'export {};\n'],
  ],
  exports: [
    [
      'src/net/planted.ts:1 exports: default export. Export it by its name',
      'export default function guard() {}\n',
    ],
    ['src/net/planted.ts:2 exports: default export.', 'const a = 1;\nexport default a;\n'],
    ['src/net/planted.ts:2 exports: default export.', 'const a = 1;\nexport { a as default };\n'],
    [
      'src/net/planted.ts:1 exports: export * hides where a name comes from. Let each file import',
      "export * from './guard.ts';\n",
    ],
  ],
  words: [
    [`src/net/planted.ts:2 words: "${'TO'}DO" does not belong here. Do it now`, `\n// ${'TO'}DO: mend\n`],
    [`cli/README.md:1 words: "not ${'imple'}mented" does not`, `Chat is not ${'imple'}mented\n`],
    [
      `src/net/planted.ts:1 words: "eslint-disable-next-line @typescript-eslint/no-floating-${'promises'}" does`,
      `// eslint-disable-next-line @typescript-eslint/no-floating-${'promises'}\n`,
    ],
    [
      `src/net/planted.ts:1 words: "@ts-${'ignore'}" does not belong here. Mend the type`,
      `// @ts-${'ignore'}\n`,
    ],
  ],
  vocabulary: [
    [
      'src/net/planted.ts:2 vocabulary: "isTold" has a coined word. Say reported, sent.',
      '\nexport let isTold = false;\n',
    ],
    [
      'daemon/front-door.ts:1 vocabulary: "front-door.ts" has a coined word. Say auth, access.',
      'export {};\n',
    ],
  ],
  lengths: [
    ['cli/README.md:26 lengths: 26 lines, more than 25. Keep what a newcomer needs', 'row\n'.repeat(26)],
    [
      'ARCHITECTURE.md:201 lengths: 201 lines, more than 200. Move depth to docs/internals',
      'row\n'.repeat(201),
    ],
  ],
  crowding: [['src/planted.ts:1 crowding: src keeps its code in folders', 'export {};\n']],
};

/** What looks like a violation but is not one. */
export const ALLOWED: [rule: string, what: string, path: string, text: string][] = [
  [
    'floors',
    'a type of the manifest',
    'src/library/planted.ts',
    "import type { Task } from '../runtime/manifest.ts';\n",
  ],
  ['floors', 'the catalogue', 'daemon/planted.ts', "import { CATALOG } from '../models/catalog.ts';\n"],
  [
    'floors',
    'the full-screen view, loaded late',
    'cli/planted.ts',
    "const { App } = await import('./tui/App.tsx');\n",
  ],
  [
    'floors',
    'what is built from an entry',
    'bin/planted.js',
    "const { main } = await import('../dist/cli/main.js');\n",
  ],
  ['packages', 'the database', 'src/store/planted.ts', "import Database from 'better-sqlite3';\n"],
  ['packages', 'a schema type', 'src/api/schema.ts', "import type { TSchema } from 'typebox';\n"],
  ['packages', 'any declared package', 'test/planted.test.ts', "import OpenAI from 'openai';\n"],
  [
    'sizes',
    'a suite of many cases',
    'test/planted.test.ts',
    `describe('a', () => {\n${"  test('b', step);\n".repeat(100)}});\n`,
  ],
  [
    'reserved',
    'the environment',
    'src/config/environment.ts',
    'export const host = process.env.ASKD_HOST;\n',
  ],
  ['reserved', 'the end of a process', 'bin/planted.js', 'process.exit(1);\n'],
  [
    'reserved',
    'the environment and the end of a process',
    'scripts/planted.ts',
    'process.exit(Number(process.env.CODE));\n',
  ],
  ['names', 'a component', 'cli/tui/PlantedScreen.tsx', 'export {};\n'],
  ['exports', 'a default export', 'planted.config.ts', 'export default {};\n'],
];
