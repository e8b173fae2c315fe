import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { AGENTS, LIBRARIES } from '../../scripts/clients/pins.ts';

test('the page about clients has a row for each checked client, with its version', () => {
  const page = readFileSync('docs/clients.md', 'utf8');
  for (const { client, packages } of [...AGENTS, ...LIBRARIES]) {
    const [version] = Object.values(packages);
    expect(page).toContain(`| ${client} `);
    expect(page.replace(/ +/g, ' ')).toContain(`| ${client} | ${version} |`);
  }
});

test('every library that is checked has a probe', () => {
  for (const { client } of LIBRARIES) expect(existsSync(`scripts/clients/probes/${client}.mjs`)).toBe(true);
});
