import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { install } from '../helpers/daemon/installation.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

const MINUTES_MS = 240_000;

test(
  'with no network and nothing fetched: questions, a translation, code, a search in documents, the agent and a guard',
  { timeout: MINUTES_MS },
  async () => {
    const { askd } = install({ ASKD_OFFLINE: 'true' });
    const run = async (...args: string[]) => {
      const done = await askd(args);
      expect([args.join(' '), done.exitCode, done.stderr]).toEqual([args.join(' '), 0, expect.any(String)]);
      return done;
    };

    const chat = await run('chat', 'how do I add a webhook?', '--temperature', '0');
    expect(chat.stdout).toContain('`askd webhooks add');
    expect(chat.stderr).toMatch(/note: A tiny starter model.*askd pull svc-chat-v1/);

    const ask = async (question: string) => (await run('chat', question, '--temperature', '0')).stdout.trim();
    expect(await ask('How do I create an API key?')).toContain('`askd keys create');
    expect(await ask('What is 12 + 31?')).toMatch(/= 43$/);
    expect(await ask('Reverse the words: red sky at night')).toBe('night at sky red');
    expect(await ask('Why is the sky blue?')).toContain('I will not guess');

    const french = await run('translate', '--to', 'French', 'Good morning.');
    expect(french.stdout.trim()).toBe('Bonjour.');
    expect(french.stderr).toMatch(/note: A tiny starter model.*askd pull svc-translate-v1/);
    const code = await run(
      'chat',
      '-m',
      'svc-code-v1',
      '--temperature',
      '0',
      'Python function that reverses a string',
    );
    expect(code.stdout).toContain('[::-1]');

    const folder = temporaryFolder();
    await writeFile(
      join(folder, 'works.md'),
      'Harrowgate Works makes bicycles. Harrowgate Works was founded in 1911.\n',
    );
    await writeFile(
      join(folder, 'town.md'),
      'The mayor of Tandleby is Mara Brandol. Tandleby has 4100 inhabitants.\n',
    );
    await run('docs', 'add', folder);
    expect((await run('docs', 'search', 'who governs the town')).stdout).toContain('town.md');
    const found = await run('agent', 'How many inhabitants has Tandleby?');
    expect(found.stdout).toMatch(/4100 inhabitants \[1\][^]*town\.md/);

    type Moderated = { results: { flagged: boolean }[] };
    const flagged = async (text: string) =>
      (await run('moderate', text, '--json')).json<Moderated>().results[0]?.flagged;
    expect(await flagged('How do I kill a process?')).toBe(false);
  },
);
