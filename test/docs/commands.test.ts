import { expect, test } from 'vitest';
import { commandsIn, mistakesIn } from '../helpers/docs/commands.ts';
import { OTHER_PAGES, PAGES, textOf } from '../helpers/docs/pages.ts';

test.each([...PAGES, ...OTHER_PAGES])('askd knows every command and flag that %s names', async (page) =>
  expect(await mistakesIn(commandsIn(textOf(page)))).toEqual([]),
);

test('a command, a flag and a value that askd does not know are mistakes', async () => {
  const text = [
    '## `askd nothing`',
    'Run `askd restrat`, or `ASKD_PORT=1 npx askd keys create --name x --scope chat`.',
    '```sh',
    'npx askd docs add|remove x # all',
    '```',
  ].join('\n');
  expect(await mistakesIn(commandsIn(text))).toEqual([
    "askd restrat: error: unknown command 'restrat'\n(Did you mean restart?)",
    "askd keys create --name x --scope chat: error: unknown option '--scope'\n(Did you mean --scopes?)",
    "askd docs remove x: error: unknown command 'remove'",
  ]);
});
