import { describe, expect, test } from 'vitest';
import { llama } from '../../../../models/engines/llama.ts';
import { randomModel } from '../../../helpers/models/models.ts';
import { ask, user } from '../../chats.ts';
import { load } from '../../engine-contract.ts';

const CONTEXT_TOKENS = 2048;
const story = user('Once upon a time there was a king who had three daughters. '.repeat(8));

describe('llama: a model that cannot rewind', () => {
  test('continues the second turn from the end of the first prompt, whatever it answered', async () => {
    const { path } = await randomModel('cohere2', { seed: 9 });
    await using session = await load(llama, path, { contextTokens: CONTEXT_TOKENS });
    const first = await ask(session, { messages: story, maxTokens: 900 });
    const messages = [...story, { role: 'assistant' as const, content: 'Go on.' }, ...user('And then?')];
    const second = await ask(session, { messages, maxTokens: 16 });
    expect(second.cachedTokens).toBeGreaterThan(first.promptTokens - 32);
    await using fresh = await load(llama, path, { contextTokens: CONTEXT_TOKENS });
    expect(second.text).toBe((await ask(fresh, { messages, maxTokens: 16 })).text);
  });

  test('gives the same answer beside others as alone', async () => {
    const { path } = await randomModel('cohere2', { seed: 9 });
    await using session = await load(llama, path, { contextTokens: CONTEXT_TOKENS, slots: 3 });
    const questions = ['Who?', 'Where?', 'Why?'].map((question) => [...story, ...user(question)]);
    const beside = await Promise.all(questions.map((messages) => ask(session, { messages, maxTokens: 16 })));
    for (const [place, messages] of questions.entries()) {
      await using fresh = await load(llama, path, { contextTokens: CONTEXT_TOKENS });
      expect(beside[place]?.text).toBe((await ask(fresh, { messages, maxTokens: 16 })).text);
    }
  });
});
