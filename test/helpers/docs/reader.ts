import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { binFile } from '../../../src/base/paths.ts';
import { install } from '../daemon/installation.ts';
import { temporaryFolder } from '../temporary.ts';
import { ROOT, type Block } from './pages.ts';

const RUNS: Readonly<Record<string, readonly string[]>> = {
  sh: ['bash', '-euo', 'pipefail', '-c'],
  js: [process.execPath, '--input-type=module', '-e'],
  python: ['python3', '-c'],
};

/** Someone with a new installation, a running daemon and a key, who follows a page. */
export async function openReader() {
  const { askd, environment } = install({ ASKD_OFFLINE: 'true', ASKD_WEBHOOKS_ALLOW_CIDRS: '127.0.0.0/8' });
  const { base_url: baseURL } = (await askd(['up', '--json'])).json<{ base_url: string }>();
  const { stdout: key } = await askd(['keys', 'create', '--name', 'reader']);
  const folder = temporaryFolder();
  const bin = join(folder, '.bin');
  mkdirSync(bin);
  // npx would look for its own configuration and updates first.
  program('npx', `[ "$1" = askd ] && shift && exec "${process.execPath}" "${binFile('askd.js')}" "$@"`);
  program('curl', `exec "${process.execPath}" "${join(ROOT, 'test/helpers/docs/curl.js')}" "$@"`);

  const createTestKey = async () =>
    (await askd(['keys', 'create', '--name', 'reader-tests', '--test'])).stdout;

  function program(name: string, script: string): void {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin, name), 0o755);
  }

  /** Runs a block in the reader's home folder, with the reader's URL and key. */
  async function tries({ language, code }: Pick<Block, 'language' | 'code'>) {
    const [file = '', ...args] = RUNS[language] ?? [];
    const testKey = code.includes('YOUR_TEST_KEY') ? await createTestKey() : '';
    const fitted = code
      .replaceAll('YOUR_TEST_KEY', testKey)
      .replaceAll('http://127.0.0.1:11535/v1', baseURL)
      .replaceAll('YOUR_KEY', key);
    const { all, exitCode } = await execa(file, [...args, fitted], {
      // Packages are found from the repository.
      cwd: language === 'js' ? ROOT : folder,
      env: { ...environment, HOME: folder, PATH: `${bin}:${process.env['PATH']}`, ASKD_API_KEY: key },
      input: '',
      all: true,
      reject: false,
    });
    return { exitCode, printed: all };
  }

  return { folder, askd, tries };
}

export type Reader = Awaited<ReturnType<typeof openReader>>;

export function canRun({ language, notRun }: Block): boolean {
  return notRun === undefined && language in RUNS;
}
