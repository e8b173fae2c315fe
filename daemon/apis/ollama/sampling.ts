import type { Options } from '../../../src/api/ollama/common.ts';
import type { ChatInput } from '../../../src/inference/chat.ts';
import { findServiceModel } from '../../../src/library/service-models.ts';
import type { AnswerFormat, Reasoning } from '../../../src/runtime/engine.ts';

/** Ollama's defaults. */
const DEFAULTS = { temperature: 0.8, topP: 0.9 };

type Sampled = Pick<ChatInput, 'sampling' | 'apiSampling' | 'stop' | 'maxTokens' | 'logprobs'>;
type SampledRequest = { options?: Options; logprobs?: boolean; top_logprobs?: number };

export function readOptions(
  { options = {}, logprobs, top_logprobs: top }: SampledRequest,
  model: string,
): Sampled {
  const { typical_p: typicalP, repeat_penalty: repeatPenalty, seed } = options;
  const maxTokens = tokensAllowed(options.num_predict, model);
  return {
    ...(maxTokens !== undefined && { maxTokens }),
    ...((logprobs || top !== undefined) && { logprobs: { top: top ?? 0 } }),
    stop: options.stop === undefined ? [] : [options.stop].flat(),
    apiSampling: DEFAULTS,
    sampling: {
      ...(options.temperature !== undefined && { temperature: options.temperature }),
      ...(options.top_p !== undefined && { topP: options.top_p }),
      ...(options.top_k !== undefined && { topK: Math.max(0, options.top_k) }),
      ...(options.min_p !== undefined && { minP: options.min_p }),
      // 0 turns it off in Ollama as well.
      ...(typicalP && { typicalP }),
      ...(repeatPenalty && { repeatPenalty }),
      ...(options.repeat_last_n !== undefined && { repeatLastTokens: options.repeat_last_n }),
      ...(options.presence_penalty !== undefined && { presencePenalty: options.presence_penalty }),
      ...(options.frequency_penalty !== undefined && { frequencyPenalty: options.frequency_penalty }),
      ...(seed !== undefined && seed !== -1 && { seed }),
    },
  };
}

/** Absent, 0 and negative mean "no limit". */
function tokensAllowed(requested: number | undefined, model: string): number | undefined {
  if (requested === undefined || requested <= 0) return undefined;
  return Math.min(requested, findServiceModel(model)?.outputTokensMax ?? requested);
}

type Word = Reasoning['effort'] | 'max';

export function readThink(think: boolean | Word | undefined): { reasoning?: Reasoning } {
  if (think === undefined) return {};
  if (typeof think === 'boolean') return { reasoning: { effort: think ? 'medium' : 'none' } };
  return { reasoning: { effort: think === 'max' ? 'xhigh' : think } };
}

export function readFormat(format: string | Record<string, unknown> | undefined): { format?: AnswerFormat } {
  if (format === undefined || format === '') return {};
  return { format: typeof format === 'string' ? { type: 'json' } : { type: 'schema', schema: format } };
}
