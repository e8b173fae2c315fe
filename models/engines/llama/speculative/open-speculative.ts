import type { LlamaContextSequence, LlamaModel } from 'node-llama-cpp';
import type { LoadOptions } from '../../../../src/runtime/engine.ts';
import type { ModelManifest } from '../../../../src/runtime/manifest.ts';
import type { Backend } from '../loading/backend.ts';
import { openContext, openModel } from '../loading/load-model.ts';
import { checkSameVocabulary, openDraftModel } from './draft-model.ts';
import { createSpeculative, type Speculative } from './speculative.ts';
import { createPromptLookup } from './prompt-lookup.ts';

export type SpeculativeOptions = {
  backend: Backend;
  model: LlamaModel;
  sequences: readonly LlamaContextSequence[];
  draft: ModelManifest['draft'];
  isDraftOnProcessor: boolean;
  options: LoadOptions;
  contextTokens: number;
  batchTokens: number;
  threads: number;
  signal: AbortSignal;
};

export type OpenSpeculative = { drafting: Speculative; draftedBy: string; dispose(): Promise<void> };

/** The drafter for this model, if one is configured. */
export async function openSpeculative(parts: SpeculativeOptions): Promise<OpenSpeculative | undefined> {
  const { sequences, draft, options } = parts;
  if (draft) return withModel(parts, draft);
  // A model that cannot remove a single token cannot take back a rejected draft.
  if (options.drafting !== 'prompt' || sequences[0]?.needsCheckpoints) return undefined;
  return {
    drafting: createSpeculative(createPromptLookup),
    draftedBy: 'prompt',
    dispose: () => Promise.resolve(),
  };
}

async function withModel(
  parts: SpeculativeOptions,
  { id, path }: NonNullable<ModelManifest['draft']>,
): Promise<OpenSpeculative> {
  const { backend, model, sequences, options, contextTokens, batchTokens, threads, signal } = parts;
  const slots = sequences.length;
  const draft = await openModel({
    ...{ backend, path, signal, contextTokensTotal: contextTokens * slots },
    ...(parts.isDraftOnProcessor && { gpuLayers: 0 }),
    onProgress: undefined,
  });
  try {
    checkSameVocabulary(model, draft, id);
    const context = await openContext({
      ...{ model: draft, slots, batchTokens, threads, signal },
      contextTokens: Math.min(contextTokens, draft.trainContextSize),
      ...(options.flashAttention && { flashAttention: options.flashAttention }),
    });
    const vocabularySize = model.fileInfo.metadata.tokenizer?.ggml?.tokens?.length ?? 0;
    const openDrafter = openDraftModel({ draft, context, id, vocabularySize, target: sequences[0] });
    return { drafting: createSpeculative(openDrafter), draftedBy: id, dispose: () => draft.dispose() };
  } catch (error) {
    await draft.dispose();
    throw error;
  }
}
