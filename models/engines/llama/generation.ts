import type { LlamaContextSequence, LlamaModel, Token } from 'node-llama-cpp';
import type { ChatEvent, ChatRequest, EndReason } from '../../../src/runtime/engine.ts';
import { samplingOptions } from './sampling.ts';
import { createStopMatcher } from './stop-matcher.ts';
import { createTextStream } from './text-stream.ts';

export type Generation = {
  /** Tokens of the prompt that are still to be evaluated; 0 once text comes. */
  promptTokensLeft(): number;
  /** Evaluates up to so many tokens of the prompt, or generates one token. Gives the reason when that was the last step. */
  advance(promptTokensMax: number): Promise<EndReason | undefined>;
  completionTokens(): number;
  close(): Promise<void>;
};

export type GenerationOptions = {
  model: LlamaModel;
  /** Already holds the first `cachedTokens` of the prompt and nothing else. */
  sequence: LlamaContextSequence;
  prompt: readonly Token[];
  cachedTokens: number;
  contextTokens: number;
  request: ChatRequest;
  emit: (event: ChatEvent) => void;
};

type TokenStream = AsyncGenerator<{ token: Token }, void, void>;

/** One request on one sequence, advanced step by step so that all running requests share each native decode. */
export function createGeneration(options: GenerationOptions): Generation {
  const { sequence, prompt, contextTokens, request } = options;
  const completionTokensMax = Math.min(request.maxTokens, contextTokens - prompt.length);
  const output = createOutput(options);
  let unread = prompt.slice(options.cachedTokens);
  let tokens: TokenStream | undefined;

  async function readPrompt(count: number): Promise<void> {
    const chunk = unread.slice(0, count);
    unread = unread.slice(count);
    await sequence.evaluateWithoutGeneratingNewTokens(chunk);
  }

  function start(): TokenStream {
    const sampling = { sampling: request.sampling, generated: output.tokens, contextTokens };
    const stream = sequence.evaluateWithMetadata(unread, {}, samplingOptions(sampling));
    unread = [];
    return stream;
  }

  return {
    promptTokensLeft: () => unread.length,
    completionTokens: () => output.tokens().length,
    async advance(promptTokensMax) {
      if (completionTokensMax <= 0) return 'length';
      if (unread.length > promptTokensMax) {
        await readPrompt(promptTokensMax);
        return undefined;
      }
      tokens ??= start();
      const { value } = await tokens.next();
      // The end-of-generation token itself is neither yielded nor counted.
      if (!value) return output.finish('stop');
      if (output.accept(value.token)) return 'stop';
      return output.tokens().length >= completionTokensMax ? output.finish('length') : undefined;
    },
    async close() {
      await tokens?.return();
    },
  };
}

/** Makes text of tokens, and holds back what could be the beginning of a stop text. */
function createOutput({ model, request, emit }: GenerationOptions) {
  const generated: Token[] = [];
  const text = createTextStream((tokens) => model.detokenize(tokens as Token[]));
  const stops = createStopMatcher(request.stop);
  const show = (shown: string) => {
    if (shown !== '') emit({ type: 'text', text: shown, completionTokens: generated.length });
  };
  return {
    tokens: () => generated,
    /** True when this token completed a stop text. */
    accept(token: Token): boolean {
      generated.push(token);
      const { text: shown, stopped } = stops.push(text.push(token));
      show(shown);
      return stopped;
    },
    finish(reason: EndReason): EndReason {
      show(stops.flush());
      return reason;
    },
  };
}
