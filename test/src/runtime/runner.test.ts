import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ChatEvent, ChatRequest } from '../../../src/runtime/engine.ts';
import type { ModelManifest } from '../../../src/runtime/manifest.ts';
import { startRunner, type RunnerTiming } from '../../../src/runtime/runner.ts';

const entry = join(import.meta.dirname, '../../helpers/models/scripted-runner.js');
const never = new AbortController().signal;

function manifestFor(name: string): ModelManifest {
  const rest = { path: '/nowhere', bytes: 1, contextTokensMax: 64, licence: 'none' };
  return { id: 'scripted', name, engine: 'llama', tasks: ['chat'], services: [], tier: 'imported', ...rest };
}

type Starting = {
  timing?: Partial<RunnerTiming>;
  signal?: AbortSignal;
  onProgress?: (fraction: number) => void;
};

async function start(script: string, { timing, signal = never, onProgress }: Starting = {}) {
  const load = { slots: 2, contextTokens: 64, ...(onProgress && { onProgress }) };
  const runner = await startRunner({
    entry,
    manifest: manifestFor(script),
    load,
    signal,
    ...(timing && { timing }),
  });
  onTestFinished(() => runner[Symbol.asyncDispose]());
  return runner;
}

function say(text: string): ChatRequest {
  const sampling = { temperature: 0, topP: 1, presencePenalty: 0, frequencyPenalty: 0 };
  return { messages: [{ role: 'user', content: text }], maxTokens: 8, stop: [], sampling };
}

type Chatting = { chat?(request: ChatRequest, signal: AbortSignal): AsyncIterable<ChatEvent> };

async function listen(runner: Chatting, text: string, signal = never): Promise<ChatEvent[]> {
  const events: ChatEvent[] = [];
  for await (const event of runner.chat?.(say(text), signal) ?? []) events.push(event);
  return events;
}

describe('loading', () => {
  test('reports its progress', async () => {
    const seen: number[] = [];
    await start('progresses', { onProgress: (fraction) => seen.push(fraction) });
    expect(seen).toEqual([0.25, 0.5, 1]);
  });

  test("fails with the engine's message", async () => {
    await expect(start('refuses')).rejects.toMatchObject({
      code: 'model_load_failed',
      message: 'not a model',
    });
  });

  test('fails when the process dies, with its last output', async () => {
    await expect(start('dies-loading')).rejects.toMatchObject({
      code: 'runner_crashed',
      message: expect.stringContaining('SIGABRT'),
      cause: expect.stringContaining('out of luck'),
    });
  });

  test('is given up on after its deadline', async () => {
    await expect(start('never-loads', { timing: { loadDeadlineMs: 300 } })).rejects.toMatchObject({
      code: 'model_load_failed',
    });
  });

  test('stops when it is no longer wanted', async () => {
    const controller = new AbortController();
    const loading = start('never-loads', { signal: controller.signal });
    controller.abort(new Error('left'));
    await expect(loading).rejects.toThrow('left');
  });
});

describe('a loaded runner', () => {
  test('carries events with their typed arrays unchanged', async () => {
    const runner = await start('loads');
    const [event] = await listen(runner, 'hello');
    expect(event).toEqual({ type: 'text', text: 'hello', vector: Float32Array.of(1.5, -0) });
  });

  test('passes on the failure of one request and continues', async () => {
    const runner = await start('loads');
    await expect(listen(runner, 'fail')).rejects.toMatchObject({
      code: 'invalid_value',
      message: 'no',
      details: { n: 1 },
    });
    expect(await listen(runner, 'next')).toHaveLength(1);
  });

  test('ends a request that is cancelled, and only that one', async () => {
    const runner = await start('loads');
    const controller = new AbortController();
    const hanging = listen(runner, 'hang', controller.signal);
    const other = listen(runner, 'other');
    controller.abort();
    expect(await hanging).toHaveLength(1);
    expect(await other).toHaveLength(1);
  });

  test('that dies fails the requests it was serving, and later ones', async () => {
    const runner = await start('loads');
    const hanging = listen(runner, 'hang');
    const fatal = listen(runner, 'die');
    await expect(hanging).rejects.toMatchObject({
      code: 'runner_crashed',
      message: expect.stringContaining('SIGKILL'),
    });
    await expect(fatal).rejects.toMatchObject({ code: 'runner_crashed' });
    expect(runner.alive).toBe(false);
    await expect(listen(runner, 'later')).rejects.toMatchObject({ code: 'runner_crashed' });
  });

  test('that falls silent is killed, so that its requests fail instead of hanging', async () => {
    const runner = await start('goes-silent', { timing: { heartbeatEveryMs: 20, silenceMaxMs: 100 } });
    await expect(listen(runner, 'hang')).rejects.toMatchObject({ code: 'runner_crashed' });
  });

  test('that answers is left alone, however long this process was itself blocked', async () => {
    const runner = await start('loads', { timing: { heartbeatEveryMs: 20, silenceMaxMs: 3_000 } });
    await expect.poll(() => runner.memoryBytes, { timeout: 30_000 }).toBe(4096);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_500);
    const [event] = await listen(runner, 'hello');
    expect([event, runner.alive]).toMatchObject([{ text: 'hello' }, true]);
  });

  test('reports its memory and closes twice without harm', async () => {
    const runner = await start('loads', { timing: { heartbeatEveryMs: 10 } });
    await listen(runner, 'hello');
    await expect.poll(() => runner.memoryBytes, { timeout: 30_000 }).toBe(4096);
    await runner[Symbol.asyncDispose]();
    await runner[Symbol.asyncDispose]();
    expect(await runner.exited).toMatchObject({ code: 0 });
  });
});

describe('native code that continues with aborted work', () => {
  const request = { path: 'hang', task: 'transcribe' as const, temperature: 0, words: false, secondsMax: 1 };

  async function leave(runner: Awaited<ReturnType<typeof start>>): Promise<void> {
    const abort = new AbortController();
    const events = runner.transcribe?.(request, abort.signal)[Symbol.asyncIterator]();
    await events?.next();
    abort.abort();
    await events?.return?.();
  }

  test('ends with its process', async () => {
    const runner = await start('is-stuck', { timing: { cancelGraceMs: 50 } });
    await leave(runner);
    expect(await runner.exited).toMatchObject({ signal: 'SIGKILL' });
  });

  test('is waited for if others would be lost', async () => {
    const runner = await start('is-stuck', { timing: { cancelGraceMs: 50 } });
    const other = new AbortController();
    const events = runner.chat?.(say('hang'), other.signal)[Symbol.asyncIterator]();
    await events?.next();
    await leave(runner);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(runner.alive).toBe(true);
    const ended = events?.return?.();
    await ended;
    expect(await runner.exited).toMatchObject({ signal: 'SIGKILL' });
  });

  test('is not killed if it stops on request', async () => {
    const runner = await start('loads', { timing: { cancelGraceMs: 2_000 } });
    await leave(runner);
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(runner.alive).toBe(true);
  });
});
