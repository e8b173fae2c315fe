import type { ParameterPolicy } from './parameter-policy.ts';
import { PROVIDER_PARAMETERS } from './provider.ts';

const askInWords = { instead: 'Ask a chat model for it in words: POST /v1/chat/completions' };

export const translatePolicy: ParameterPolicy = {
  withoutEffect: PROVIDER_PARAMETERS,
  refused: {
    context: askInWords,
    formality: askInWords,
    glossary: askInWords,
    glossary_id: askInWords,
    temperature: { instead: 'A translation is always the likeliest one: leave it out.', except: [0] },
  },
};
