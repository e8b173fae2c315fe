import { Failure } from '../../src/base/errors.ts';
import type { ChatEvent, ChatRequest, Engine, LoadOptions, Session } from '../../src/runtime/engine.ts';
import type { ModelManifest } from '../../src/runtime/manifest.ts';
import { createCompletions, type Completions } from './vision/completions.ts';
import { openLibrary, silencePrompts } from './vision/library.ts';
import { openModel, type VisionModel } from './vision/model.ts';
import { createPromptWriter, type PromptWriter } from './vision/prompt.ts';

/** Language models with a projector for images, by the multimodal build of llama.cpp. */
export const vision: Engine = { name: 'vision', load };

const ABORTED: ChatEvent = { type: 'end', reason: 'abort', completionTokens: 0 };

async function load(manifest: ModelManifest, options: LoadOptions, signal: AbortSignal): Promise<Session> {
  signal.throwIfAborted();
  const library = await openLibrary(options.modules);
  const model = await openModel({ library, manifest, options, signal });
  try {
    const writePrompt = createPromptWriter(model.facts);
    model.description.chat = writePrompt.abilities;
    await model.context.parallel.enable({ n_parallel: options.slots });
    silencePrompts();
    options.onProgress?.(1);
    return createSession(model, writePrompt);
  } catch (error) {
    await model.context.release();
    throw error;
  }
}

function createSession(model: VisionModel, writePrompt: PromptWriter): Session {
  const completions = createCompletions(model);
  let closing: Promise<void> | undefined;

  function refuseLate(): void {
    if (closing) throw new Failure('shutting_down', 'This model is being unloaded.');
  }

  async function* chat(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ChatEvent> {
    refuseLate();
    refuseUnknown(request);
    if (signal.aborted) return void (yield ABORTED);
    const prompt = await writePrompt(request);
    // The model may be gone by now, and the library would read freed memory.
    if (closing) return void (yield ABORTED);
    yield* completions.run({ prompt, promptTokens: await completions.count(prompt), request }, signal);
  }

  return {
    description: model.description,
    chat,
    async countTokens(request, signal) {
      refuseLate();
      refuseUnknown(request);
      signal.throwIfAborted();
      const prompt = await writePrompt(request);
      refuseLate();
      return completions.count(prompt);
    },
    [Symbol.asyncDispose]() {
      closing ??= close(model, completions);
      return closing;
    },
  };
}

async function close({ context }: VisionModel, completions: Completions): Promise<void> {
  await completions.close();
  context.parallel.disable();
  await context.release();
}

/** Unsupported options are rejected before the first token, never dropped silently. */
function refuseUnknown(request: Partial<ChatRequest>): void {
  const { raw, logprobs, showPrompt = false, logitBias = {} } = request;
  const unsupported: [boolean, string, string][] = [
    [raw !== undefined, 'prompt', 'it takes messages only'],
    [logprobs !== undefined, 'logprobs', 'it reports probabilities only after sampling filters'],
    [Object.keys(logitBias).length > 0, 'logit_bias', 'it supports none'],
    [showPrompt, 'show_prompt', 'its prompt contains images'],
  ];
  const [, param, why] = unsupported.find(([isAsked]) => isAsked) ?? [];
  if (param === undefined) return;
  throw new Failure(
    'unsupported_parameter',
    `The vision engine does not support "${param}": ${why}. Omit it, or use a text model: svc-chat-v1.`,
    { param },
  );
}
