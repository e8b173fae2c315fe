import type { ParameterPolicy } from './parameter-policy.ts';
import { PROVIDER_PARAMETERS } from './provider.ts';

/** Only the voice and the speed affect how a text is spoken. */
export const speechPolicy: ParameterPolicy = {
  withoutEffect: [...PROVIDER_PARAMETERS, 'instructions'],
};

export const transcriptionPolicy: ParameterPolicy = {
  withoutEffect: [...PROVIDER_PARAMETERS, 'chunking_strategy', 'include'],
  refused: {
    known_speaker_names: { instead: 'Speaker diarization is not supported: omit it.' },
    known_speaker_references: { instead: 'Speaker diarization is not supported: omit it.' },
  },
};
