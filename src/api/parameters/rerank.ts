import type { ParameterPolicy } from './parameter-policy.ts';
import { PROVIDER_PARAMETERS } from './provider.ts';

export const rerankPolicy: ParameterPolicy = {
  withoutEffect: [
    ...PROVIDER_PARAMETERS,
    'max_chunks_per_doc',
    'priority',
    'truncate',
    'truncation',
    'truncation_direction',
  ],
  refused: {
    raw_scores: { instead: 'Scores are always between 0 and 1: omit it.', except: [false] },
    return_embeddings: { instead: 'Get vectors from POST /v1/embeddings.', except: [false] },
    truncate_prompt_tokens: { instead: 'Set "max_tokens_per_doc" to limit how much of a document is read.' },
  },
};
