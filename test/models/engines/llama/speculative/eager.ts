import { createCostlyTurns } from '../../../../../models/engines/llama/scheduling/costly-turns.ts';
import { openBackend } from '../../../../../models/engines/llama/loading/backend.ts';
import { createChat } from '../../../../../models/engines/llama/tasks/chat.ts';
import { openDraftModel } from '../../../../../models/engines/llama/speculative/draft-model.ts';
import type { DraftPace } from '../../../../../models/engines/llama/speculative/draft-pace.ts';
import {
  createSpeculative,
  type OpenDrafter,
} from '../../../../../models/engines/llama/speculative/speculative.ts';
import { createPromptLookup } from '../../../../../models/engines/llama/speculative/prompt-lookup.ts';
import { openContext, openModel } from '../../../../../models/engines/llama/loading/load-model.ts';
import { createPromptBuilder } from '../../../../../models/engines/llama/generation/prompt.ts';
import { createScheduler } from '../../../../../models/engines/llama/scheduling/scheduler.ts';
import type { Session } from '../../../../../src/runtime/engine.ts';
import { never } from '../../../chats.ts';

const CONTEXT_TOKENS = 1024;
const BATCH_TOKENS = 512;
const TILE_TOKENS = 64;

export type Chatting = Pick<Session, 'chat'>;

/** Drafts as much as allowed, a little less each time, whether or not it pays off. */
function eagerPace(): DraftPace {
  let steps = 0;
  return {
    allot: (candidates) =>
      candidates.map(({ tokensMax }, index) => Math.min(tokensMax, 8 - ((steps++ + index) % 8))),
    observe: () => true,
  };
}

/** The engine's own parts, with a draft in every step: from a model, or from the text itself. */
export async function openEager(path: string, { draft, slots = 1 }: { draft?: string; slots?: number }) {
  const signal = never();
  const backend = await openBackend();
  const open = async (file: string) => {
    const model = await openModel({
      ...{ backend, path: file, signal, contextTokensTotal: CONTEXT_TOKENS * slots },
      onProgress: undefined,
    });
    const context = await openContext({
      ...{ model, slots, signal, contextTokens: CONTEXT_TOKENS, batchTokens: BATCH_TOKENS, threads: 1 },
    });
    return { model, context };
  };
  const { model, context } = await open(path);
  const small = draft === undefined ? undefined : await open(draft);
  const sequences = Array.from({ length: slots }, () => context.getSequence());
  const openDrafter: OpenDrafter = small
    ? openDraftModel({
        ...{ draft: small.model, context: small.context, id: 'small', target: sequences[0] },
        vocabularySize: model.fileInfo.metadata.tokenizer?.ggml?.tokens?.length ?? 0,
      })
    : createPromptLookup;
  const drafting = createSpeculative(openDrafter, eagerPace());
  const scheduler = createScheduler({
    ...{ sequences, drafting, batchTokens: BATCH_TOKENS, tileTokens: TILE_TOKENS, beforeStep: () => {} },
  });
  const buildPrompt = createPromptBuilder(model, CONTEXT_TOKENS);
  const inTurn = createCostlyTurns();
  return {
    chat: createChat({ model, buildPrompt, scheduler, contextTokens: CONTEXT_TOKENS, inTurn }),
    drafting,
    async [Symbol.asyncDispose]() {
      await scheduler.close();
      await small?.model.dispose();
      await model.dispose();
    },
  };
}
