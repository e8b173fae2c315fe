import { readdirSync, readlinkSync, truncateSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { llama } from '../../../../../models/engines/llama.ts';
import type { LoadOptions, Session } from '../../../../../src/runtime/engine.ts';
import { randomModel, recurrentModel } from '../../../../helpers/models/models.ts';
import { ask, countTokens, never, startChat, user, type Answer } from '../../../chats.ts';
import { load } from '../../../engine-contract.ts';

const MEGABYTES = 2 ** 20;
const CONTEXT: Partial<LoadOptions> = { contextTokens: 2048, slots: 1 };
const CACHING = { ...CONTEXT, promptCacheBytes: 64 * MEGABYTES };
const LONG = 'Once upon a time there was a king who had three daughters. '.repeat(8);
const NAMES = ['Ada', 'Bob', 'Cleo', 'Dora', 'Emil'];
const MODELS = {
  plain: () => randomModel('llama', { seed: 9 }),
  'sliding-window': () => randomModel('cohere2', { seed: 9 }),
  recurrent: () => recurrentModel({ seed: 9 }),
};

const firstTurn = (name: string) => user(`My name is ${name}. ${LONG}`);
const secondTurn = (name: string, { text }: Answer) => [
  ...firstTurn(name),
  { role: 'assistant' as const, content: text },
  ...user('And then?'),
];

/** Conversations that take turns. */
async function takeTurns(
  session: Session,
  { names = NAMES, ...options }: { names?: string[] } & Options = {},
) {
  const first: Answer[] = [];
  for (const name of names)
    first.push(await ask(session, { messages: firstTurn(name), maxTokens: 12, ...options }));
  const second: Answer[] = [];
  for (const [place, name] of names.entries()) {
    const messages = secondTurn(name, first[place] as Answer);
    second.push(await ask(session, { messages, maxTokens: 12, ...options }));
  }
  return second;
}
type Options = { logprobs?: { top: number }; cacheSalt?: string };

const logprobsOf = ({ events }: Answer) =>
  events.flatMap((event) => (event.type === 'text' ? (event.logprobs ?? []) : []));
const cachedOf = (answers: readonly Answer[]) => answers.map(({ cachedTokens }) => cachedTokens);
const bytesIn = (session: Session) => session.promptCache?.().bytes ?? Number.NaN;

/** Without in-memory files, only models that can go back to any token have a prompt cache. */
const CACHED = Object.entries(MODELS).slice(0, process.platform === 'linux' ? 3 : 1);

describe.each(CACHED)('llama: the prompt cache of a %s model', (_, model) => {
  test('continues conversations that lost their slot with the same tokens and probabilities', async () => {
    const { path } = await model();
    await using plain = await load(llama, path, CONTEXT);
    await using caching = await load(llama, path, CACHING);
    const options = { logprobs: { top: 2 } };
    const [expected, answers] = [await takeTurns(plain, options), await takeTurns(caching, options)];
    expect(answers.map(({ text }) => text)).toEqual(expected.map(({ text }) => text));
    expect(Math.max(...cachedOf(expected))).toBeLessThan(32);
    for (const [place, answer] of answers.entries()) {
      expect(answer.cachedTokens).toBeGreaterThan(LONG.length * 0.9);
      for (const [index, { logprob }] of logprobsOf(expected[place] as Answer).entries())
        expect(logprobsOf(answer)[index]?.logprob).toBeCloseTo(logprob, 2);
    }
    expect(caching.promptCache?.()).toMatchObject({ hits: NAMES.length });
  });

  test('gives every byte back when it is limited, and keeps nothing from then on', async () => {
    const { path } = await model();
    await using session = await load(llama, path, CACHING);
    await takeTurns(session);
    expect(bytesIn(session)).toBeGreaterThan(0);
    expect(await session.limitPromptCache?.(0, never())).toMatchObject({ bytes: 0, entries: 0 });
    expect(Math.max(...cachedOf(await takeTurns(session)))).toBeLessThan(32);
    expect(session.promptCache?.()).toMatchObject({ bytes: 0, bytesMax: 0, entries: 0 });
    expect(statesOfThisProcess()).toEqual([]);
  });

  test('reveals to no account what another one sent', async () => {
    const { path } = await model();
    await using session = await load(llama, path, { ...CACHING, slots: 2 });
    await takeTurns(session, { cacheSalt: 'victim' });
    const held = session.promptCache?.();
    for (const name of NAMES) {
      const guess = await ask(session, { messages: firstTurn(name), maxTokens: 1, cacheSalt: 'spy' });
      const unsalted = await ask(session, { messages: firstTurn(name), maxTokens: 1 });
      expect([guess.cachedTokens, unsalted.cachedTokens]).toEqual([0, 0]);
      const own = await ask(session, { messages: firstTurn(name), maxTokens: 1, cacheSalt: 'spy' });
      expect(own.cachedTokens).toBeGreaterThan(LONG.length * 0.9);
    }
    expect(session.promptCache?.().hits).toBe(held?.hits);
  });

  test('loses nothing to a client that leaves', async () => {
    const { path } = await model();
    await using session = await load(llama, path, CACHING);
    const [answer] = await takeTurns(session, { names: ['Ada', 'Bob'] });
    const messages = secondTurn('Ada', answer as Answer);
    const { bytes } = session.promptCache?.() ?? {};
    for (let times = 0; times < 3; times++) {
      const left = new AbortController();
      for await (const event of startChat(session, { messages, maxTokens: 400 }, left.signal))
        if (event.type === 'text') left.abort();
      await ask(session, { messages: firstTurn('Bob'), maxTokens: 1 });
    }
    expect(bytesIn(session)).toBeLessThan(2 * (bytes ?? 0));
    expect((await ask(session, { messages, maxTokens: 1 })).cachedTokens).toBeGreaterThan(LONG.length * 0.9);
  });
});

describe('llama: the prompt cache', () => {
  test('stays within its limit, and keeps what was used last', async () => {
    const { path } = await MODELS.plain();
    await using measuring = await load(llama, path, CACHING);
    await takeTurns(measuring, { names: ['Ada', 'Bob'] });
    const two = 2.2 * bytesIn(measuring);
    await using session = await load(llama, path, { ...CONTEXT, promptCacheBytes: two });
    for (const name of NAMES) await ask(session, { messages: firstTurn(name), maxTokens: 1 });
    expect(session.promptCache?.()).toMatchObject({ entries: 2 });
    expect(bytesIn(session)).toBeLessThanOrEqual(two);
    const cached = [];
    for (const name of ['Ada', 'Dora'])
      cached.push((await ask(session, { messages: firstTurn(name), maxTokens: 1 })).cachedTokens);
    expect(cached[0]).toBeLessThan(32);
    expect(cached[1]).toBeGreaterThan(LONG.length * 0.9);
  });

  test('serves subagents with one long system prompt, each from its own conversation', async () => {
    const { path } = await MODELS.plain();
    await using session = await load(llama, path, { ...CACHING, slots: 2 });
    const system = { role: 'system' as const, content: LONG };
    const turn = (name: string) => [system, ...user(`I am ${name}. ${LONG.slice(0, 330)}`)];
    for (const name of NAMES) await ask(session, { messages: turn(name), maxTokens: 4 });
    for (const name of NAMES) {
      const answer = await ask(session, { messages: turn(name), maxTokens: 4 });
      expect(answer.cachedTokens).toBeGreaterThan((await countTokens(session, [system])) + 300);
    }
  });

  test.runIf(process.platform === 'linux')('drops a damaged state, and answers the same', async () => {
    const { path } = await MODELS['sliding-window']();
    const complaint = vi.spyOn(console, 'error').mockImplementation(() => {});
    await using plain = await load(llama, path, CONTEXT);
    await using session = await load(llama, path, CACHING);
    const [answer] = await takeTurns(session, { names: ['Ada', 'Bob'] });
    for (const file of statesOfThisProcess()) truncateSync(file, 100);
    const messages = secondTurn('Ada', answer as Answer);
    expect((await ask(session, { messages, maxTokens: 12 })).text).toBe(
      (await ask(plain, { messages, maxTokens: 12 })).text,
    );
    expect(complaint).toHaveBeenCalledWith(expect.stringContaining('prompt cache'), expect.anything());
  });
});

/** Files without a name, which only their process can open. */
function statesOfThisProcess(): string[] {
  if (process.platform !== 'linux') return [];
  const open = readdirSync('/proc/self/fd').map((descriptor) => `/proc/self/fd/${descriptor}`);
  return open.filter((file) => linkOf(file).startsWith('/dev/shm/askd-'));
}

function linkOf(file: string): string {
  try {
    return readlinkSync(file);
  } catch {
    return '';
  }
}
