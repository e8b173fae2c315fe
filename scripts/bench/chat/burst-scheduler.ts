import type { LlamaModel, Token } from 'node-llama-cpp';
import { createGeneration } from '../../../models/engines/llama/generation/generation.ts';
import { createTokenDecoder } from '../../../models/engines/llama/generation/token-decoder.ts';
import { openBackend } from '../../../models/engines/llama/loading/backend.ts';
import { openContext, openModel } from '../../../models/engines/llama/loading/load-model.ts';
import { createCharacterGuards } from '../../../models/engines/llama/sampling/logit-bias.ts';
import { createOneTokenDecode } from '../../../models/engines/llama/scheduling/one-token-decode.ts';
import { createScheduler } from '../../../models/engines/llama/scheduling/scheduler.ts';
import { readEnvironment } from '../../../src/config/environment.ts';
import { watchDecodes } from './watch-decodes.ts';

export const SLOTS = 8;
const CONTEXT_TOKENS = 512;
const BATCH_TOKENS = 512;
const TILE_TOKENS = 64;

export type Client = { promptTokens: number; answerTokens: number; place: number };
export type Burst = {
  wholeMs: number;
  firstTokenMs: number;
  /** Between two decodes of one token for each client, the median. */
  betweenMs: number;
};
export type Rule = {
  burstMs?: number | undefined;
  /** Decodes wait in node-llama-cpp's queue. */
  isQueued?: boolean;
};

/** The engine's scheduler over one model, without a daemon: two rules share the same context, one after the other. */
export async function openBurstModel(file: string, threads: number) {
  const { signal } = new AbortController();
  const backend = await openBackend();
  const model = await openModel({
    ...{ backend, path: file, contextTokensTotal: SLOTS * CONTEXT_TOKENS, onProgress: undefined, signal },
  });
  const context = await openContext({
    ...{ model, slots: SLOTS, contextTokens: CONTEXT_TOKENS, batchTokens: BATCH_TOKENS, threads, signal },
  });
  const sequences = Array.from({ length: SLOTS }, () => context.getSequence());
  const decodes = watchDecodes(context);
  const { poolThreads } = readEnvironment();
  const oneTokenDecode = createOneTokenDecode({ context, threads, poolThreads });

  return {
    /** All clients come at once. */
    async run(clients: readonly Client[], { burstMs, isQueued }: Rule): Promise<Burst> {
      for (const sequence of sequences) await sequence.clearHistory();
      const scheduler = createScheduler({
        ...{ sequences, batchTokens: BATCH_TOKENS, tileTokens: TILE_TOKENS, burstMs, beforeStep: () => {} },
        oneTokenDecode: isQueued ? undefined : oneTokenDecode,
      });
      decodes.forget();
      const startedAt = performance.now();
      let firstTokenMs: number | undefined;
      const onText = () => (firstTokenMs ??= performance.now() - startedAt);
      await Promise.all(
        clients.map(
          (client) =>
            new Promise<void>((resolve, reject) => {
              const prompt = promptOf(client);
              void scheduler.run({
                ...{ prompt, signal, end: () => resolve(), fail: reject },
                begin: (sequence, cachedTokens) =>
                  createGeneration({
                    ...answerOf(model, client),
                    prompt,
                    sequence,
                    cachedTokens,
                    emit: onText,
                  }),
              });
            }),
        ),
      );
      await scheduler.close();
      return {
        wholeMs: performance.now() - startedAt,
        firstTokenMs: firstTokenMs ?? Number.NaN,
        betweenMs: decodes.betweenMs(clients.length),
      };
    },
    [Symbol.asyncDispose]: () => model.dispose(),
  };
}

/** Prompts that differ from the first token on. */
function promptOf({ promptTokens, place }: Client): Token[] {
  return Array.from({ length: promptTokens }, (_, index) => (100 + place + ((7 * index) % 150)) as Token);
}

function answerOf(model: LlamaModel, { answerTokens }: Client) {
  const decoder = createTokenDecoder(model);
  const plan = { suffix: '', thinking: undefined, thoughtTokensMax: 0, calls: undefined, grammar: undefined };
  const sampling = { temperature: 0, topP: 1, presencePenalty: 0, frequencyPenalty: 0 };
  return {
    model,
    contextTokens: CONTEXT_TOKENS,
    request: { messages: [], maxTokens: answerTokens, stop: [], sampling },
    plan: { ...plan, callGrammar: () => '' },
    grammar: undefined,
    logitBias: [],
    createGuard: createCharacterGuards(model, decoder, 0),
    decoder,
    tally: { completionTokens: 0 },
    choice: 0,
  };
}
