import { describe, expect, test } from 'vitest';
import { llama } from '../../../../models/engines/llama.ts';
import { randomModel } from '../../../helpers/models/models.ts';
import { ask, startChat, user } from '../../chats.ts';
import { load } from '../../engine-contract.ts';

describe('llama: slots', () => {
  const first = user('What is the tallest mountain of Europe, and who climbed it first?');

  test('a conversation continues where it was, with the same answer as from the start', async () => {
    const { path } = await randomModel('llama', { seed: 9 });
    await using session = await load(llama, path);
    const { text, promptTokens } = await ask(session, { messages: first, maxTokens: 16 });
    const messages = [...first, { role: 'assistant' as const, content: text }, ...user('And of Asia?')];
    const next = await ask(session, { messages, maxTokens: 16 });
    expect(next.cachedTokens).toBeGreaterThanOrEqual(promptTokens);
    await using fresh = await load(llama, path);
    expect(next.text).toBe((await ask(fresh, { messages, maxTokens: 16 })).text);
  });

  test('the same prompt again evaluates one token', async () => {
    const { path } = await randomModel('llama');
    await using session = await load(llama, path);
    const { text, promptTokens } = await ask(session, { messages: first, maxTokens: 8 });
    const again = await ask(session, { messages: first, maxTokens: 8 });
    expect(again).toMatchObject({ text, cachedTokens: promptTokens - 1 });
  });

  test('another conversation leaves it alone while a slot is free', async () => {
    const { path } = await randomModel('llama');
    await using session = await load(llama, path, { slots: 2 });
    const { promptTokens } = await ask(session, { messages: first, maxTokens: 8 });
    await ask(session, { messages: user('Hi'), maxTokens: 8 });
    const again = await ask(session, { messages: first, maxTokens: 8 });
    expect(again.cachedTokens).toBe(promptTokens - 1);
  });

  test.each([0, 1, 3])(
    'an abort after %d tokens leaves the slot correct for the next request',
    async (tokens) => {
      const { path } = await randomModel('llama', { seed: 9 });
      await using session = await load(llama, path, { contextTokens: 2048 });
      // Longer than the first piece of a prompt that is prefilled.
      const long = user('Once upon a time there was a king. '.repeat(25));
      const abort = new AbortController();
      for await (const event of startChat(session, { messages: long }, abort.signal)) {
        if (event.type === 'prompt' && tokens === 0) abort.abort();
        if (event.type === 'text' && event.completionTokens >= tokens) abort.abort();
        if (event.type === 'end') expect(event).toMatchObject({ reason: 'abort' });
      }
      const after = await ask(session, { messages: long, maxTokens: 12 });
      await using fresh = await load(llama, path, { contextTokens: 2048 });
      expect(after.text).toBe((await ask(fresh, { messages: long, maxTokens: 12 })).text);
      if (tokens === 0) expect(after.cachedTokens).toBeLessThan(after.promptTokens - 1);
    },
  );
});

describe('llama: a system prompt that clients share', () => {
  const system = {
    role: 'system' as const,
    content: 'Answer in one word, and be kind to everybody. '.repeat(8),
  };
  const asking = (content: string) => ({ messages: [system, ...user(content)], maxTokens: 12 });
  const questions = ['Who?', 'And when was that?', 'Why?', 'Where?', 'How?', 'Since when?'];

  async function answersFromTheStart(path: string) {
    const texts: string[] = [];
    for (const question of questions) {
      await using fresh = await load(llama, path, { contextTokens: 2048 });
      texts.push((await ask(fresh, asking(question))).text);
    }
    return texts;
  }

  test('is prefilled once, and copied from another conversation, which continues where it was', async () => {
    const { path } = await randomModel('llama', { seed: 9 });
    await using session = await load(llama, path, { slots: 3, contextTokens: 2048 });
    const first = await ask(session, { ...asking(questions[0] ?? ''), maxTokens: 80 });
    const second = await ask(session, asking(questions[1] ?? ''));
    expect(second.cachedTokens).toBeGreaterThan(system.content.length);
    const again = await ask(session, asking(questions[0] ?? ''));
    expect(again.cachedTokens).toBe(first.promptTokens - 1);
    expect([again.text, second.text]).toEqual((await answersFromTheStart(path)).slice(0, 2));
  });

  test('is prefilled once when they come at the same time, whatever becomes of the first request', async () => {
    const { path } = await randomModel('llama', { seed: 9 });
    await using session = await load(llama, path, { slots: 4, contextTokens: 2048 });
    const abort = new AbortController();
    const leaving = (async () => {
      for await (const event of startChat(session, asking('I leave'), abort.signal))
        if (event.type === 'prompt') abort.abort();
    })();
    const answers = await Promise.all(questions.map((question) => ask(session, asking(question))));
    await leaving;
    const cached = answers.map(({ cachedTokens }) => cachedTokens > system.content.length);
    expect(cached.filter((isCached) => !isCached).length).toBeLessThanOrEqual(1);
    expect(answers.map(({ text }) => text)).toEqual(await answersFromTheStart(path));
  });

  test('costs nothing for the very same prompt', async () => {
    const { path } = await randomModel('llama', { seed: 9 });
    await using session = await load(llama, path, { slots: 3, contextTokens: 2048 });
    const answers = await Promise.all([1, 2, 3].map(() => ask(session, asking('Who?'))));
    const [first, ...others] = answers;
    expect(first?.cachedTokens).toBe(0);
    for (const { text, cachedTokens, promptTokens } of others) {
      expect([text, cachedTokens]).toEqual([first?.text, promptTokens - 1]);
    }
  });
});
