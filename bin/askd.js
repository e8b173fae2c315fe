#!/usr/bin/env node
import { existsSync } from 'node:fs';

const entry = new URL('../dist/bundle/cli/main.js', import.meta.url);

if (existsSync(entry)) {
  const { main } = await import(entry.href);
  process.exitCode = await main(process.argv.slice(2));
} else {
  console.error('askd is not built: npm run build');
  process.exitCode = 1;
}
