#!/usr/bin/env node
import { existsSync } from 'node:fs';

const entry = new URL('../dist/bundle/cli/main.js', import.meta.url);
const [first, ...more] = process.argv.slice(2);
const wantsVersion = (first === '--version' || first === '-V') && more.length === 0;

if (!existsSync(entry)) {
  console.error('askd is not built: npm run build');
  process.exitCode = 1;
} else if (wantsVersion) {
  // Scripts ask for it often, and the rest of the command line takes longer to load than Node.
  const { version } = await import('../dist/bundle/src/base/version.js');
  process.stdout.write(`${version}\n`);
} else {
  const { main } = await import(entry.href);
  process.exitCode = await main(process.argv.slice(2));
}
