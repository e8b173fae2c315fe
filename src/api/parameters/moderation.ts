import type { ParameterPolicy } from './parameter-policy.ts';
import { PROVIDER_PARAMETERS } from './provider.ts';

export const moderationPolicy: ParameterPolicy = {
  withoutEffect: PROVIDER_PARAMETERS,
  refused: {
    threshold: {
      instead:
        'Compare "category_scores" with it, or set thresholds for all requests: askd config set moderation_thresholds \'{"hate":0.4}\'',
    },
  },
};
