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
    raw_scores: { instead: 'Scores are always from 0 to 1: leave it out.', except: [false] },
    return_embeddings: { instead: 'Ask POST /v1/embeddings for vectors.', except: [false] },
    truncate_prompt_tokens: { instead: 'Say with "max_tokens_per_doc" how much of a document is read.' },
  },
};
