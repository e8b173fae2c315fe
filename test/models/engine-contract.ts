import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ChatEvent, Engine, LoadOptions, Session } from '../../src/runtime/engine.ts';
import type { ModelManifest } from '../../src/runtime/manifest.ts';
import { ask, countTokens, never, startChat, summarize, user } from './chats.ts';

export type EngineUnderTest = {
  name: string;
  engine: Engine;
  /** Answers every prompt with this text, in this many tokens, and stops. */
  chatModel: () => Promise<{ path: string; text: string; completionTokens: number }>;
  /** Its count is exact only at the end, because it cannot tell how many tokens a character had. */
  countsLate?: true;
  /** Never stops. */
  endlessModel: () => Promise<{ path: string }>;
  /** Answers different prompts differently. */
  variedModel: () => Promise<{ path: string }>;
};

/** What every chat engine must do. */
export function testEngine({ name, engine, ...models }: EngineUnderTest): void {
  const open = (model: { path: string }, options?: Partial<LoadOptions>) => load(engine, model.path, options);

  describe(`${name}: an answer`, () => {
    test('is one prompt, then text, then one end', async () => {
      const model = await models.chatModel();
      await using session = await open(model);
      const answer = await ask(session);
      expect(answer.text).toBe(model.text);
      expect(answer.events.at(0)).toMatchObject({ type: 'prompt', cachedTokens: 0 });
      expect(answer.events.at(-1)).toEqual({
        type: 'end',
        reason: 'stop',
        completionTokens: model.completionTokens,
      });
      expect(answer.events.slice(1, -1).map(({ type }) => type)).not.toContain('prompt');
      expect(answer.events.slice(0, -1).map(({ type }) => type)).not.toContain('end');
    });

    test('counts the tokens as they come and never yields empty text', async () => {
      await using session = await open(await models.chatModel());
      const { events, completionTokens } = await ask(session);
      const texts = events.filter((event) => event.type === 'text');
      const counts = texts.map((event) => event.completionTokens);
      expect(texts.every(({ text }) => text !== '')).toBe(true);
      expect(counts).toEqual(counts.toSorted((a, b) => a - b));
      if (models.countsLate) expect(counts.at(-1)).toBeLessThanOrEqual(completionTokens);
      else expect(counts.at(-1)).toBe(completionTokens);
    });

    test.each([1, 2, 7])('of at most %d tokens has exactly so many', async (maxTokens) => {
      await using session = await open(await models.endlessModel());
      const answer = await ask(session, { maxTokens });
      expect(answer).toMatchObject({ reason: 'length', completionTokens: maxTokens });
    });

    test('ends where the context does', async () => {
      await using session = await open(await models.endlessModel(), { contextTokens: 256 });
      const { promptTokens, completionTokens, reason } = await ask(session, { maxTokens: 10_000 });
      expect(reason).toBe('length');
      expect(promptTokens + completionTokens).toBe(256);
    });

    test('is the same beside another request as alone', async () => {
      await using session = await open(await models.variedModel(), { slots: 2 });
      const prompts = ['What is the capital of France?', 'Name three colours, please.'];
      const requests = prompts.map((prompt) => ({ messages: user(prompt), maxTokens: 24 }));
      const alone = [];
      for (const request of requests) alone.push((await ask(session, request)).text);
      const together = await Promise.all(requests.map((request) => ask(session, request)));
      expect(together.map(({ text }) => text)).toEqual(alone);
      expect(new Set(alone).size).toBe(2);
    });

    test('has as many prompt tokens as were counted before', async () => {
      await using session = await open(await models.chatModel());
      for (const messages of [user('Hello'), user('Grüße, 世界! '.repeat(9))]) {
        const { promptTokens } = await ask(session, { messages });
        expect(await countTokens(session, messages)).toBe(promptTokens);
      }
    });
  });

  describe(`${name}: an abort`, () => {
    test('before the start yields only the end', async () => {
      await using session = await open(await models.endlessModel());
      const { events } = await ask(session, {}, AbortSignal.abort());
      expect(events).toEqual([{ type: 'end', reason: 'abort', completionTokens: 0 }]);
    });

    test('stops within one token', async () => {
      await using session = await open(await models.endlessModel());
      const abort = new AbortController();
      const events: ChatEvent[] = [];
      let tokensAtAbort = 0;
      for await (const event of startChat(session, { maxTokens: 400 }, abort.signal)) {
        events.push(event);
        if (event.type !== 'text' || event.completionTokens < 5 || abort.signal.aborted) continue;
        tokensAtAbort = event.completionTokens;
        abort.abort();
      }
      const { reason, completionTokens } = summarize(events);
      expect(reason).toBe('abort');
      expect(completionTokens - tokensAtAbort).toBeLessThanOrEqual(1);
    });

    test('while it waits for a slot takes it out of the queue', async () => {
      await using session = await open(await models.endlessModel(), { slots: 1 });
      const running = startChat(session)[Symbol.asyncIterator]();
      await running.next();
      const abort = new AbortController();
      const waiting = ask(session, {}, abort.signal);
      abort.abort();
      expect((await waiting).events).toEqual([{ type: 'end', reason: 'abort', completionTokens: 0 }]);
      await running.return?.();
    });

    test('by a reader that stops frees the slot', async () => {
      await using session = await open(await models.endlessModel(), { slots: 1 });
      for await (const event of startChat(session)) if (event.type === 'text') break;
      expect(await ask(session, { maxTokens: 3 })).toMatchObject({ reason: 'length', completionTokens: 3 });
    });
  });

  describe(`${name}: a session`, () => {
    test.each([1, 3])('with %d slots serves ten requests, in order', async (slots) => {
      const model = await models.chatModel();
      await using session = await open(model, { slots });
      const ended: number[] = [];
      const requests = Array.from({ length: 10 }, async (_, index) => {
        const { text } = await ask(session);
        ended.push(index);
        return text;
      });
      expect(await Promise.all(requests)).toEqual(requests.map(() => model.text));
      // Concurrent ones may end in any order.
      expect(ended.every((index, place) => Math.abs(index - place) < slots)).toBe(true);
    });

    test('can be disposed of twice, aborts running and waiting requests, and refuses later ones', async () => {
      const session = await open(await models.endlessModel(), { slots: 1 });
      const running = startChat(session)[Symbol.asyncIterator]();
      await running.next();
      const waiting = ask(session);
      await Promise.all([session[Symbol.asyncDispose](), session[Symbol.asyncDispose]()]);
      await session[Symbol.asyncDispose]();
      expect((await waiting).reason).toBe('abort');
      const rest: ChatEvent[] = [];
      for (let next = await running.next(); !next.done; next = await running.next()) rest.push(next.value);
      expect(summarize(rest).reason).toBe('abort');
      await expect(ask(session)).rejects.toMatchObject({ code: 'shutting_down' });
    });

    test('describes itself', async () => {
      await using session = await open(await models.chatModel(), {
        slots: 3,
        contextTokens: 512,
        threads: 1,
      });
      expect(session.description).toMatchObject({
        slots: 3,
        contextTokens: 512,
        threads: 1,
        chat: expect.anything() as object,
        device: expect.any(String) as string,
        memory: { ram: expect.any(Number) as number, vram: 0 },
      });
    });
  });

  describe(`${name}: loading`, () => {
    test('reports progress up to the end', async () => {
      const fractions: number[] = [];
      await using session = await open(await models.chatModel(), {
        onProgress: (part) => fractions.push(part),
      });
      expect(session.description.slots).toBe(1);
      expect(fractions.at(-1)).toBe(1);
      expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
    });

    test('stops when it is aborted', async () => {
      const { path: file } = await models.chatModel();
      const reason = new Error('changed my mind');
      const loading = engine.load(manifestOf(engine, file), LOAD_OPTIONS, AbortSignal.abort(reason));
      await expect(loading).rejects.toBe(reason);
      const abort = new AbortController();
      const options = { ...LOAD_OPTIONS, onProgress: () => abort.abort(reason) };
      await expect(engine.load(manifestOf(engine, file), options, abort.signal)).rejects.toBe(reason);
    });

    test.each([
      ['that is missing', undefined, 'model_load_failed'],
      ['that is empty', () => Buffer.alloc(0), 'invalid_model_file'],
      ['of another kind', () => Buffer.from('<html>Not a model</html>'), 'invalid_model_file'],
      ['that was cut off', (whole: Buffer) => whole.subarray(0, whole.length / 2), 'invalid_model_file'],
      ['with a broken head', (whole: Buffer) => whole.subarray(0, 24), 'invalid_model_file'],
    ])('a file %s fails and says so', async (_, damage, code) => {
      const { path: file } = await models.chatModel();
      const damaged = path.join(await temporaryFolder(), 'damaged.model');
      if (damage) await writeFile(damaged, damage(await readFile(file)));
      const loading = engine.load(manifestOf(engine, damaged), LOAD_OPTIONS, never());
      await expect(loading).rejects.toMatchObject({
        code,
        message: expect.stringContaining(damaged) as string,
      });
    });
  });
}

export const LOAD_OPTIONS: LoadOptions = { slots: 1, contextTokens: 1024, threads: 1 };

export function load(engine: Engine, file: string, options: Partial<LoadOptions> = {}): Promise<Session> {
  return engine.load(manifestOf(engine, file), { ...LOAD_OPTIONS, ...options }, never());
}

export function manifestOf(engine: Engine, file: string): ModelManifest {
  return {
    id: 'test-model',
    name: 'Test model',
    engine: engine.name,
    tasks: ['chat'],
    services: [],
    tier: 'imported',
    licence: 'none',
    path: file,
    bytes: 0,
    contextTokensMax: 131_072,
  };
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'askd-engine-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}
