import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { expect, test } from 'vitest';
import { withGenerated } from '../../scripts/docs/page.ts';
import { GENERATED } from '../../scripts/docs/pages.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

test.each(Object.entries(GENERATED))(
  '%s describes what the code does: npm run docs:generate',
  async (page, generate) => {
    const file = path.join(ROOT, page);
    const text = readFileSync(file, 'utf8');
    const options = { ...(await resolveConfig(file)), filepath: file };
    expect(text).toBe(await format(withGenerated(text, await generate()), options));
  },
);
