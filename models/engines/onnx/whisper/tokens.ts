import type { PreTrainedTokenizer } from '@huggingface/transformers';
import type { OnnxFolder } from '../folder.ts';

type GenerationConfig = {
  eos_token_id: number;
  decoder_start_token_id: number;
  no_timestamps_token_id: number;
  is_multilingual?: boolean;
  lang_to_id?: Record<string, number>;
  task_to_id?: Record<string, number>;
  suppress_tokens?: number[];
  begin_suppress_tokens?: number[];
  max_initial_timestamp_index?: number;
  alignment_heads?: [layer: number, head: number][];
};

export type WhisperTokens = ReturnType<typeof readTokens>;

/** Whisper's special tokens. All text tokens come before them. */
export function readTokens({ readJson }: OnnxFolder, tokenizer: PreTrainedTokenizer) {
  const config = readJson<GenerationConfig>('generation_config.json');
  if (!config) throw new Error('it has no generation_config.json');
  const idOf = (token: string): number | undefined => {
    const [id, ...rest] = tokenizer.encode(token, { add_special_tokens: false });
    return rest.length === 0 ? id : undefined;
  };
  const languages = new Map(
    Object.entries(config.lang_to_id ?? {}).map(([token, id]) => [token.replace(/[<|>]/g, ''), id]),
  );
  return {
    end: config.eos_token_id,
    start: config.decoder_start_token_id,
    noTimestamps: config.no_timestamps_token_id,
    /** The token of 0.00 seconds; each following one is 0.02 seconds later. */
    timestamps: config.no_timestamps_token_id + 1,
    earlier: idOf('<|startofprev|>'),
    noSpeech: idOf('<|nospeech|>') ?? idOf('<|nocaptions|>'),
    /** Empty for an English-only model. */
    languages: config.is_multilingual === false ? new Map<string, number>() : languages,
    tasks: config.task_to_id ?? {},
    suppressed: config.suppress_tokens ?? [],
    suppressedAtStart: config.begin_suppress_tokens ?? [],
    firstTimestampMax: config.max_initial_timestamp_index ?? 50,
    alignmentHeads: config.alignment_heads,
  };
}

export const SECONDS_PER_TIMESTAMP = 0.02;
