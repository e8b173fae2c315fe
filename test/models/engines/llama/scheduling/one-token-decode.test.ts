import { expect, onTestFinished, test } from 'vitest';
import type { LlamaContext } from 'node-llama-cpp';
import { openBackend } from '../../../../../models/engines/llama/loading/backend.ts';
import { openContext, openModel } from '../../../../../models/engines/llama/loading/load-model.ts';
import { createPromptBuilder } from '../../../../../models/engines/llama/generation/prompt.ts';
import { createChat } from '../../../../../models/engines/llama/tasks/chat.ts';
import { createCostlyTurns } from '../../../../../models/engines/llama/scheduling/costly-turns.ts';
import { createOneTokenDecode } from '../../../../../models/engines/llama/scheduling/one-token-decode.ts';
import { createScheduler } from '../../../../../models/engines/llama/scheduling/scheduler.ts';
import { entryFile } from '../../../../../src/base/paths.ts';
import type { ModelManifest } from '../../../../../src/runtime/manifest.ts';
import { startRunner } from '../../../../../src/runtime/runner.ts';
import { randomModel, recurrentModel } from '../../../../helpers/models/models.ts';
import { ask, never, user, type Answer } from '../../../chats.ts';

const LIMITS = { slots: 3, contextTokens: 256, threads: 1 };
const PROMPTS = ['Tell me', 'Sing', 'What next'];
const SAMPLING = { temperature: 1, topP: 1, presencePenalty: 0.2, frequencyPenalty: 0, seed: 7 };

type Chatting = Parameters<typeof ask>[0];
type Native = { decodeBatch: () => Promise<void> };

async function open(path: string, { hasOwnDecode }: { hasOwnDecode: boolean }) {
  const { slots, contextTokens, threads } = LIMITS;
  const model = await openModel({
    ...{ backend: await openBackend(), path, contextTokensTotal: contextTokens * slots },
    ...{ onProgress: undefined, signal: never() },
  });
  const context = await openContext({ ...LIMITS, model, batchTokens: 64, signal: never() });
  const scheduler = createScheduler({
    sequences: Array.from({ length: slots }, () => context.getSequence()),
    ...{ batchTokens: 64, tileTokens: 16, beforeStep: () => {} },
    oneTokenDecode: hasOwnDecode ? createOneTokenDecode({ context, threads, poolThreads: 4 }) : undefined,
  });
  onTestFinished(async () => {
    await scheduler.close();
    await model.dispose();
  });
  const buildPrompt = createPromptBuilder(model, contextTokens);
  return {
    chat: createChat({ model, buildPrompt, scheduler, contextTokens, inTurn: createCostlyTurns() }),
    context,
  };
}

/** A process whose pool has one thread, as the daemon starts it. */
async function openRunner(path: string) {
  const manifest: ModelManifest = {
    ...{ id: 'tiny', name: 'Tiny', engine: 'llama', tasks: ['chat'], services: [], tier: 'imported' },
    ...{ licence: 'none', path, bytes: 1, contextTokensMax: LIMITS.contextTokens },
  };
  const runner = await startRunner({
    ...{ entry: entryFile('models/runner.js'), manifest, load: LIMITS, signal: never() },
  });
  onTestFinished(() => runner[Symbol.asyncDispose]());
  return runner;
}

const say = (chatting: Chatting, text: string): Promise<Answer> =>
  ask(chatting, { messages: user(text), maxTokens: 40, sampling: SAMPLING });

const answers = async (chatting: Chatting) =>
  (await Promise.all(PROMPTS.map((text) => say(chatting, text)))).map(({ text }) => text);

test.each([
  ['whose memory can be rolled back', () => randomModel('llama')],
  ['that needs checkpoints', () => recurrentModel()],
])('streams of a model %s get the same tokens as from the library’s own decode', async (_what, make) => {
  const { path } = await make();
  const expected = await answers(await open(path, { hasOwnDecode: false }));
  expect(new Set(expected).size).toBeGreaterThan(1);
  expect(await answers(await open(path, { hasOwnDecode: true }))).toEqual(expected);
  expect(await answers(await openRunner(path))).toEqual(expected);
});

test('a decode that fails ends its streams with its error, and the next request is answered', async () => {
  const { path } = await randomModel('llama');
  const { chat, context } = await open(path, { hasOwnDecode: true });
  const before = await answers({ chat });
  let decodes = 0;
  failOnce(context, () => ++decodes === 10);
  const [first, ...others] = await Promise.allSettled(PROMPTS.map((text) => say({ chat }, text)));
  for (const each of [first, ...others])
    expect(each).toMatchObject({ status: 'rejected', reason: { message: 'no room for the batch' } });
  expect(await answers({ chat })).toEqual(before);
});

function failOnce(context: LlamaContext, isNow: () => boolean): void {
  const native = (context as unknown as { _ctx: Native })._ctx;
  const decode = native.decodeBatch.bind(native);
  const value = () => (isNow() ? Promise.reject(new Error('no room for the batch')) : decode());
  Object.defineProperty(native, 'decodeBatch', { value });
}

test('a stream that its client leaves lets the others go on', async () => {
  const { path } = await randomModel('llama');
  const { chat } = await open(path, { hasOwnDecode: true });
  const [expected] = await answers({ chat });
  const leaving = new AbortController();
  const left = (async () => {
    for await (const event of chat(
      { messages: user('Sing'), maxTokens: 200, stop: [], sampling: SAMPLING },
      leaving.signal,
    )) {
      if (event.type === 'text') leaving.abort();
      if (event.type === 'end') return event.reason;
    }
    return undefined;
  })();
  const [stays, reason] = await Promise.all([say({ chat }, PROMPTS[0] ?? ''), left]);
  expect(reason).toBe('abort');
  expect(stays.text).toBe(expected);
});
