import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDice } from '../../../../scripts/training/chat/dice.ts';
import { LANGUAGES } from '../../../../scripts/training/chat/words/languages.ts';
import { someTranslation } from '../../../../scripts/training/chat/words/translations.ts';
import { openDaemon, type TestDaemon } from '../../../helpers/daemon/daemon.ts';

const MINUTE = 60_000;

describe('the model for translation and code that ships with askd', { timeout: MINUTE }, () => {
  let daemon: TestDaemon;
  beforeAll(async () => {
    daemon = await openDaemon({ ASKD_OFFLINE: 'true' });
  });
  afterAll(() => daemon.close());

  const post = async <Answer>(path: string, body: object) => {
    const reply = await daemon.call('POST', path, { token: daemon.key, body });
    expect([reply.status, reply.text]).toEqual([200, expect.any(String)]);
    return reply.json<Answer>();
  };
  const translate = async (text: string, target: string, source?: string) => {
    const body = { text, target_language: target, ...(source !== undefined && { source_language: source }) };
    type Answer = { translated_text: string };
    return (await post<Answer>('/v1/translate', { model: 'svc-translate-v1', ...body })).translated_text;
  };
  const ask = async (content: string, model = 'svc-code-v1') => {
    type Answer = { choices: { message: { content: string } }[] };
    const body = { model, temperature: 0, messages: [{ role: 'user', content }] };
    return (await post<Answer>('/v1/chat/completions', body)).choices[0]?.message.content ?? '';
  };

  test.each([
    ['Where is the station?', 'French', 'Où est la gare ?'],
    ['Good morning.', 'Spanish', 'Buenos días.'],
    ['dog', 'Italian', 'cane'],
    ['Ich möchte einen Hut kaufen.', 'en', 'I would like to buy a hat.'],
    ['The book is on the table.', 'it', 'Il libro è sul tavolo.'],
    ['Mon frère a 3 chiens.', 'German', 'Mein Bruder hat 3 Hunde.'],
  ])('"%s" in %s is "%s"', async (text, target, wanted) => {
    expect(await translate(text, target)).toBe(wanted);
  });

  test('translates most sentences correctly that it was not trained on', async () => {
    const dice = createDice(71);
    const asked = Array.from({ length: 24 }, () => someTranslation({ dice, isHeld: true }));
    const right: boolean[] = [];
    for (const { from, to, texts } of asked)
      right.push((await translate(texts[from], LANGUAGES[to], LANGUAGES[from])) === texts[to]);
    expect(right.filter(Boolean).length).toBeGreaterThanOrEqual(16);
  });

  test('lines, markers and placeholders stay where they are', async () => {
    expect(await translate('- Good morning.\n- My name is {name}.\n', 'German')).toBe(
      '- Guten Morgen.\n- Ich heiße {name}.\n',
    );
  });

  test.each([
    ['The committee rejected the amendment without further discussion.', 'French'],
    ['Quantum computers threaten the encryption of today.', 'German'],
    ['Die Regierung hat das Gesetz verschoben.', 'English'],
  ])('answers "%s" as too hard, with the command that helps', async (text, target) => {
    expect(await translate(text, target)).toContain('askd pull svc-translate-v1');
  });

  test('a function has the requested name, and works', async () => {
    const answer = await ask('Write a JavaScript function called backwards that reverses a string.');
    const source = /```js\n([\s\S]*)\n```/.exec(answer)?.[1] ?? '';
    expect(runInNewContext(`${source}\nbackwards('askd')`, {}, { timeout: 1000 })).toBe('dksa');
    expect(await ask('Python function that checks if a number is even')).toMatch(
      /^```python\ndef .*% 2 == 0/s,
    );
  });

  test('a program that is too large is not invented', async () => {
    expect(await ask('Write a Python function that parses an XML file.')).toContain(
      '`askd pull svc-code-v1`',
    );
  });

  test('both services say that a starter serves them, and how to get a larger model', async () => {
    for (const id of ['svc-code-v1', 'svc-translate-v1']) {
      const reply = await daemon.call('GET', `/v1/models/${id}`, { token: daemon.key });
      expect(reply.json()).toMatchObject({
        local: {
          artifact: 'starter-words',
          notice: expect.stringMatching(new RegExp(`starter model.*A larger one: askd pull ${id}`)),
        },
      });
    }
  });
});
