import type { ParameterPolicy } from './parameter-policy.ts';
import { PROVIDER_PARAMETERS } from './provider.ts';

const askInWords = { instead: 'Prompt a chat model for it: POST /v1/chat/completions' };

export const translatePolicy: ParameterPolicy = {
  withoutEffect: PROVIDER_PARAMETERS,
  refused: {
    context: askInWords,
    formality: askInWords,
    glossary: askInWords,
    glossary_id: askInWords,
    temperature: { instead: 'Translations always use greedy decoding: omit it.', except: [0] },
  },
};
