import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { withGenerated } from './page.ts';
import { GENERATED } from './pages.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

for (const [page, generate] of Object.entries(GENERATED)) {
  const file = path.join(ROOT, page);
  writeFileSync(file, withGenerated(readFileSync(file, 'utf8'), await generate()));
  console.log(`${page} is up to date.`);
}
