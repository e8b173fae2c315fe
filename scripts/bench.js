import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, runAloud, runScript } from './setup/processes.js';
import { ensureBuilt, ensureInstalled } from './setup/setup.js';

const [name, ...rest] = process.argv.slice(2);

await runScript(async () => {
  if (name === undefined || !existsSync(join(ROOT, 'scripts', 'bench', `${name}.ts`))) {
    console.error(
      `Usage: node scripts/bench.js <name> [arguments]; the names are ${benches().join(', ') || 'none yet'}.`,
    );
    return 2;
  }
  await ensureInstalled();
  await ensureBuilt();
  return runAloud(process.execPath, [join('dist', 'scripts', 'bench', `${name}.js`), ...rest]);
});

function benches() {
  const folder = join(ROOT, 'scripts', 'bench');
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((file) => (file.endsWith('.ts') ? [file.slice(0, -3)] : []));
}
