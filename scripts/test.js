import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { ensureBrowser } from './setup/browser.js';
import { ensurePrometheus } from './setup/prometheus.js';
import { ensureKeyring } from './setup/keyring.js';
import { ensureSandbox } from './setup/sandbox.js';
import { ensureTmux } from './setup/tmux.js';
import { ensureSoftwareVulkan } from './setup/vulkan.js';
import { runAloud, runQuietly, runScript, secondsSince } from './setup/processes.js';
import { ensureBuilt, ensureInstalled } from './setup/setup.js';

const CHECKS = [
  { name: 'types', args: ['node_modules/typescript/bin/tsc', '--noEmit'] },
  { name: 'lint', args: ['node_modules/eslint/bin/eslint.js', '.', '--max-warnings', '0'] },
  { name: 'format', args: ['node_modules/prettier/bin/prettier.cjs', '--check', '.'] },
];

/** `--quick`, for the inner loop: the types, and test files that take less than a few seconds. */
const isQuick = process.argv.includes('--quick');

await runScript(async () => {
  await ensureInstalled();
  if (!isQuick) {
    await ensureBrowser();
    await ensurePrometheus();
    await ensureKeyring();
    await ensureTmux();
    await ensureSandbox();
    await ensureSoftwareVulkan();
  }
  const build = await runBuild();
  const checks = await Promise.all(CHECKS.slice(0, isQuick ? 1 : undefined).map(runCheck));
  const tests = await runTests(process.argv.slice(2).filter((arg) => arg !== '--quick'));
  const failed = [build, ...checks, tests].flatMap(({ name, isOk }) => (isOk ? [] : [name]));
  if (failed.length > 0) console.log(`failed: ${failed.join(', ')}`);
  for (const file of tests.tally?.slow ?? []) console.log(`slow: ${file}. List it in test/slow-files.json`);
  console.log(closingLine(tests.tally));
  return failed.length === 0 ? 0 : 1;
});

/** If the build fails, checks and tests still run, so that one run shows everything there is to fix. */
async function runBuild() {
  try {
    await ensureBuilt();
    return { name: 'build', isOk: true };
  } catch (error) {
    console.log(error.message);
    return { name: 'build', isOk: false };
  }
}

/** The three run concurrently, so each holds back its output until it is done. */
async function runCheck({ name, args }) {
  const startedAt = performance.now();
  const { code, stdout, stderr } = await runQuietly(process.execPath, args);
  const isOk = code === 0;
  heading(name, `${isOk ? 'ok' : 'failed'}, ${secondsSince(startedAt)}`);
  if (!isOk) console.log(`${stdout}${stderr}`);
  return { name, isOk };
}

async function runTests(args) {
  const folder = mkdtempSync(join(tmpdir(), 'askd-tally-'));
  const tallyFile = join(folder, 'tally.json');
  const reporters = args.some((arg) => arg.startsWith('--reporter')) ? [] : ['--reporter=default'];
  reporters.push('--reporter=./scripts/tally-reporter.js');
  const startedAt = performance.now();
  heading('vitest', 'the tests');
  try {
    const vitest = ['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...args];
    const code = await runAloud(process.execPath, vitest, {
      ASKD_TEST_TALLY: tallyFile,
      ...(isQuick && { ASKD_TEST_QUICK: '1' }),
    });
    const tally = existsSync(tallyFile) ? JSON.parse(readFileSync(tallyFile, 'utf8')) : undefined;
    heading('vitest', `${code === 0 ? 'ok' : 'failed'}, ${secondsSince(startedAt)}`);
    return { name: 'vitest', isOk: code === 0, tally };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function heading(name, text) {
  console.log(`== ${name}: ${text}`);
}

function closingLine({ passed, failed, skipped } = { passed: 0, failed: 0, skipped: 0 }) {
  return `tests: ${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
