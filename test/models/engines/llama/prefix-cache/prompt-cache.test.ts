import { describe, expect, test } from 'vitest';
import { llama } from '../../../../../models/engines/llama.ts';
import type { LoadOptions, Session } from '../../../../../src/runtime/engine.ts';
import { randomModel } from '../../../../helpers/models/models.ts';
import { ask, user, type Answer } from '../../../chats.ts';
import { load } from '../../../engine-contract.ts';

const MEGABYTES = 2 ** 20;
const CONTEXT: Partial<LoadOptions> = { contextTokens: 2048, slots: 1 };
const CACHING = { ...CONTEXT, promptCacheBytes: 64 * MEGABYTES };
const LONG = 'Once upon a time there was a king who had three daughters. '.repeat(8);
const NAMES = ['Ada', 'Bob', 'Cleo', 'Dora', 'Emil'];

const firstTurn = (name: string) => user(`My name is ${name}. ${LONG}`);
const secondTurn = (name: string, { text }: Answer) => [
  ...firstTurn(name),
  { role: 'assistant' as const, content: text },
  ...user('And then?'),
];

/** Conversations that take turns, with probabilities of what they say. */
async function takeTurns(session: Session, names: readonly string[]): Promise<Answer[]> {
  const options = { maxTokens: 12, logprobs: { top: 2 } };
  const first: Answer[] = [];
  for (const name of names) first.push(await ask(session, { messages: firstTurn(name), ...options }));
  const second: Answer[] = [];
  for (const [place, name] of names.entries()) {
    const messages = secondTurn(name, first[place] as Answer);
    second.push(await ask(session, { messages, ...options }));
  }
  return second;
}

const logprobsOf = ({ events }: Answer) =>
  events.flatMap((event) => (event.type === 'text' ? (event.logprobs ?? []) : []));

describe.each(['llama', 'cohere2'] as const)('llama: the prompt cache of a %s model', (architecture) => {
  test('continues conversations that lost their slot with the same tokens and probabilities', async () => {
    const { path } = await randomModel(architecture, { seed: 9 });
    await using plain = await load(llama, path, CONTEXT);
    await using caching = await load(llama, path, CACHING);
    const [expected, answers] = [await takeTurns(plain, NAMES), await takeTurns(caching, NAMES)];
    expect(answers.map(({ text }) => text)).toEqual(expected.map(({ text }) => text));
    expect(expected.every(({ cachedTokens }) => cachedTokens < 32)).toBe(true);
    for (const [place, answer] of answers.entries()) {
      expect(answer.cachedTokens).toBeGreaterThan(LONG.length * 0.9);
      for (const [index, { logprob }] of logprobsOf(expected[place] as Answer).entries())
        expect(logprobsOf(answer)[index]?.logprob).toBeCloseTo(logprob, 2);
    }
    expect(caching.promptCache?.()).toMatchObject({ hits: NAMES.length });
  });
});
