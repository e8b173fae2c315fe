import type { Refusal } from './parameter-policy.ts';

/** Parameters that clients of llama-server, vLLM and Ollama send and that cannot affect an answer here. */
export const LOCAL_WITHOUT_EFFECT = [
  'cache_prompt',
  'cache_salt',
  'continuous_usage_stats',
  'id_slot',
  'keep_alive',
  'n_keep',
  'priority',
  'return_progress',
  'return_tokens',
  'skip_special_tokens',
  'slot_id',
  'spaces_between_special_tokens',
  'stream_options.continuous_usage_stats',
  'stream_options.include_obfuscation',
  'timings_per_token',
  'ttl',
];

const withMinP: Refusal = { instead: 'Use min_p, top_p or temperature.' };
const withRepeatPenalty: Refusal = { instead: 'Use repeat_penalty or frequency_penalty.', except: [0] };

/** Samplers that those servers have and askd lacks; rejected unless they are off. */
export const LOCAL_REJECTED: Readonly<Record<string, Refusal>> = {
  bad_words: { instead: 'Use logit_bias with -100 for each token.', except: [[]] },
  best_of: { instead: 'Request several choices with n, and pick one.', except: [1] },
  dry_multiplier: withRepeatPenalty,
  dynatemp_range: { ...withMinP, except: [0] },
  guided_regex: { instead: 'Write it as a grammar: "grammar".' },
  ignore_eos: { instead: 'Limit the answer with max_tokens or a grammar.', except: [false] },
  length_penalty: { instead: 'Beam search is not supported: omit it.', except: [1] },
  lora: { instead: 'Import a model with the adapter merged into it.', except: [[]] },
  min_tokens: { instead: 'Constrain the answer with a grammar.', except: [0] },
  mirostat: { ...withMinP, except: [0] },
  mirostat_mode: { ...withMinP, except: [0] },
  n_probs: { instead: 'Use logprobs and top_logprobs.', except: [0] },
  samplers: { instead: 'Samplers always run in the default order of llama.cpp: omit it.' },
  'structured_outputs.regex': { instead: 'Write it as a grammar: "grammar".' },
  tfs_z: { ...withMinP, except: [1] },
  top_a: { ...withMinP, except: [0] },
  top_n_sigma: { ...withMinP, except: [-1, 0] },
  use_beam_search: { instead: 'Request several choices with n.', except: [false] },
  xtc_probability: { ...withMinP, except: [0] },
};
