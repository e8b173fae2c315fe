#!/usr/bin/env node
import { existsSync } from 'node:fs';

const entry = new URL('../dist/bundle/daemon/main.js', import.meta.url);

if (!existsSync(entry)) {
  console.error('askd is not built: npm run build');
  process.exit(1);
}
const { main } = await import(entry.href);
// The daemon is done when main returns, whatever a library may have left running.
process.exit(await main(process.argv.slice(2)));
