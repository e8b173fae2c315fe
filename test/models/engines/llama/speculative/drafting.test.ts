import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { llama } from '../../../../../models/engines/llama.ts';
import type { ChatRequest, Session } from '../../../../../src/runtime/engine.ts';
import { endlessModel, randomModel, scriptedModel } from '../../../../helpers/models/models.ts';
import { TOOL_TEMPLATES, WEATHER_CALL } from '../../../../helpers/models/tool-models.ts';
import { ask, GREEDY, never, startChat, summarize, user } from '../../../chats.ts';
import { load, manifestOf } from '../../../engine-contract.ts';
import { openEager, type Chatting } from './eager.ts';
import { createComparison, said } from './said.ts';

const MINUTES = 120_000;
const TALE = 'The king said: open the gate. The gate said: the king is gone. The king said: open the gate.';

function draftedBy(path: string, draft: string): Promise<Session> {
  const manifest = { ...manifestOf(llama, path), draft: { id: 'small', path: draft, bytes: 0 } };
  return llama.load(manifest, { slots: 1, contextTokens: 1024, threads: 1 }, never());
}

const REQUESTS = fc.record({
  question: fc.constantFrom('Hello', TALE, 'Say it again, and again, and again.'),
  maxTokens: fc.integer({ min: 1, max: 40 }),
  sampling: fc.record({
    temperature: fc.constantFrom(0, 0.05, 0.2, 0.7, 1.3),
    topP: fc.constantFrom(1, 0.9, 0.3),
    presencePenalty: fc.constantFrom(0, 0, 0.2, 1.5),
    frequencyPenalty: fc.constantFrom(0, 0, 0.1, -0.5),
    seed: fc.nat(),
  }),
  stop: fc.constantFrom([], [], ['a'], ['on', 'e'], ['\n']),
  logprobs: fc.constantFrom(undefined, undefined, { top: 0 }, { top: 3 }),
  logitBias: fc.constantFrom<Record<string, number>>({}, {}, { 97: 0.5, 101: -100 }),
  json: fc.boolean(),
});

type Options = typeof REQUESTS extends fc.Arbitrary<infer Value> ? Value : never;

function toRequest({ question, json, logprobs, ...rest }: Options): Partial<ChatRequest> {
  const messages = user(question);
  if (json) return { ...rest, messages, format: { type: 'json' } };
  return { ...rest, messages, ...(logprobs && { logprobs }) };
}

describe('an answer that is drafted', () => {
  test(
    'is word for word, and logprob for logprob, what it is without drafts',
    { timeout: MINUTES },
    async () => {
      const { path } = await randomModel('llama', { seed: 9 });
      const other = await randomModel('llama', { seed: 10 });
      await using plain = await load(llama, path, { slots: 4 });
      await using byItself = await openEager(path, { draft: path });
      await using byAnother = await openEager(path, { draft: other.path });
      await using byPrompt = await openEager(path, {});
      const { compare, expectFewDifferent } = createComparison();
      await fc.assert(
        fc.asyncProperty(REQUESTS, async (options) => {
          const request = toRequest(options);
          const expected = await said(plain, request);
          for (const session of [byItself, byAnother, byPrompt])
            compare(await said(session, request), expected);
        }),
        { numRuns: Number(process.env['RUNS'] ?? 25), endOnFailure: true },
      );
      expectFewDifferent();
      const counts = [byItself, byAnother, byPrompt].map(({ drafting }) => drafting.counts());
      // How many there were depends on the random numbers.
      expect(counts[1]?.drafted).toBeGreaterThan(counts[1]?.accepted ?? 0);
      expect(counts[0]?.accepted).toBeGreaterThan(0);
    },
  );

  test('is the same beside other drafted answers', { timeout: MINUTES }, async () => {
    const { path } = await randomModel('llama', { seed: 9 });
    await using plain = await load(llama, path, { slots: 4 });
    await using drafted = await openEager(path, { draft: path, slots: 4 });
    const { compare, expectFewDifferent } = createComparison();
    await fc.assert(
      fc.asyncProperty(fc.array(REQUESTS, { minLength: 2, maxLength: 6 }), async (options) => {
        const requests = options.map(toRequest);
        const answers = await Promise.all(requests.map((request) => said(drafted, request)));
        for (const [index, request] of requests.entries())
          compare(answers[index] ?? [], await said(plain, request));
      }),
      { numRuns: Number(process.env['RUNS'] ?? 12), endOnFailure: true },
    );
    expectFewDifferent();
  });

  test('has choices that differ as they do without drafts', async () => {
    const { path } = await randomModel('llama', { seed: 9 });
    await using plain = await load(llama, path);
    await using drafted = await openEager(path, { draft: path, slots: 3 });
    const sampling = { ...GREEDY, temperature: 0.9, seed: 5 };
    const request = { messages: user(TALE), maxTokens: 24, choices: 3, sampling };
    const texts = async (session: Chatting) => {
      const { events } = await ask(session, request);
      const pieces = events.filter((event) => event.type === 'text');
      return [0, 1, 2].map((choice) =>
        pieces.flatMap((piece) => (piece.choice === choice ? [piece.text] : [])).join(''),
      );
    };
    expect(await texts(drafted)).toEqual(await texts(plain));
  });

  test('calls tools with the same arguments', async () => {
    const { path } = await scriptedModel(WEATHER_CALL, { chatTemplate: TOOL_TEMPLATES.hermes });
    const parameters = {
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'integer' } },
    };
    const request = { tools: [{ name: 'get_weather', parameters }] };
    await using plain = await load(llama, path);
    await using drafted = await openEager(path, { draft: path });
    const expected = await said(plain, request);
    expect(expected.map(({ type }) => type)).toContain('toolArguments');
    expect(await said(drafted, request)).toEqual(expected);
    expect(drafted.drafting.counts().accepted).toBeGreaterThan(10);
  });

  test('that is aborted leaves its slot correct for the next request', async () => {
    const { path } = await randomModel('llama', { seed: 9 });
    await using plain = await load(llama, path);
    await using drafted = await openEager(path, { draft: path });
    const messages = user(TALE);
    const { text } = await ask(plain, { messages, maxTokens: 30 });
    for (const tokens of [1, 4, 9]) {
      const abort = new AbortController();
      for await (const event of startChat(drafted, { messages }, abort.signal))
        if (event.type === 'text' && event.completionTokens >= tokens) abort.abort();
      expect((await ask(drafted, { messages, maxTokens: 30 })).text).toBe(text);
    }
  });

  test('continues in a second turn where the first one ended', async () => {
    const { path } = await randomModel('llama', { seed: 9 });
    await using plain = await load(llama, path);
    await using drafted = await openEager(path, { draft: path });
    const first = await ask(drafted, { messages: user(TALE), maxTokens: 20 });
    const messages = [...user(TALE), { role: 'assistant' as const, content: first.text }, ...user('Go on.')];
    const second = await ask(drafted, { messages, maxTokens: 20 });
    expect(second.cachedTokens).toBeGreaterThanOrEqual(first.promptTokens);
    expect(second.text).toBe((await ask(plain, { messages, maxTokens: 20 })).text);
  });
});

async function draftsIn(session: Chatting) {
  const events = [];
  for await (const event of startChat(session, { maxTokens: 400 })) events.push(event);
  expect(summarize(events)).toMatchObject({ reason: 'length', completionTokens: 400 });
  const end = events.find((event) => event.type === 'end');
  return end?.drafts ?? { drafted: 0, accepted: 0 };
}

describe('drafts', () => {
  test('from the text itself are nearly all right if it repeats itself', async () => {
    await using session = await openEager((await endlessModel()).path, {});
    const { drafted, accepted } = await draftsIn(session);
    expect(accepted).toBeGreaterThan(100);
    expect(accepted / drafted).toBeGreaterThan(0.9);
  });

  test('are reported for each answer and for all', async () => {
    await using session = await load(llama, (await endlessModel()).path, { drafting: 'prompt' });
    expect(session.description.draftedBy).toBe('prompt');
    const [first, second] = [await draftsIn(session), await draftsIn(session)];
    const drafted = first.drafted + second.drafted;
    expect(session.draftCounts?.()).toEqual({ drafted, accepted: first.accepted + second.accepted });
  });

  test('end where the context does', async () => {
    const { path } = await endlessModel();
    await using session = await load(llama, path, { drafting: 'prompt', contextTokens: 128 });
    const { promptTokens, completionTokens, reason } = await ask(session);
    expect(reason).toBe('length');
    expect(promptTokens + completionTokens).toBe(128);
  });

  test('are not made unless they are asked for', async () => {
    const { path } = await endlessModel();
    await using session = await load(llama, path);
    expect(session.description.draftedBy).toBeUndefined();
    expect(session.draftCounts).toBeUndefined();
  });

  test('by a model with different tokens are refused when it is loaded', async () => {
    const { path } = await scriptedModel('some words');
    const { path: other } = await scriptedModel('and quite other ones');
    await expect(draftedBy(path, other)).rejects.toMatchObject({
      code: 'draft_mismatch',
      message: expect.stringMatching(/"small" cannot draft for this model: .*--no-draft/s) as string,
    });
  });

  test('by a file that is not a model are refused with its name', async () => {
    const { path } = await randomModel('llama');
    await expect(draftedBy(path, import.meta.filename)).rejects.toMatchObject({
      code: 'invalid_model_file',
      message: expect.stringContaining('drafting.test.ts') as string,
    });
  });
});
