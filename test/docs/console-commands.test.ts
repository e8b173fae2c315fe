import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { COMMANDS } from '../../cli/commands.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const TERMINAL = 'Terminal only: ';

type Row = { commands: string[]; where: string };

/** The table of docs/console.md: commands, and the screen that does the same or why none does. */
function rows(): Row[] {
  const [, section = ''] = read('docs/console.md').split('## Commands\n');
  return section
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) => {
      const [, commands = '', where = ''] = line.split('|');
      return {
        commands: [...commands.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
        where: where.trim(),
      };
    });
}

test('every command has a screen in the console, or a reason to be in the terminal only', () => {
  const listed = rows().flatMap(({ commands }) => commands);
  expect(listed.sort()).toEqual(COMMANDS.map(({ name }) => name).sort());
});

test('every screen that the table names is in the console, and every reason has text', () => {
  const screens = [
    ...read('daemon/console/web/shell/screens.ts').matchAll(
      /name: '([^']+)', icon|name: '([^']+)',\n\s+icon/g,
    ),
  ].map(([, inline, below]) => inline ?? below);
  expect(screens.length).toBeGreaterThan(6);
  for (const { where } of rows()) {
    if (where.startsWith(TERMINAL)) expect(where.length, where).toBeGreaterThan(TERMINAL.length + 10);
    else for (const name of where.split(', ')) expect(screens).toContain(name);
  }
});
