import type { ParameterPolicy } from './parameter-policy.ts';
import { PROVIDER_PARAMETERS } from './provider.ts';

export const imagesPolicy: ParameterPolicy = {
  withoutEffect: [...PROVIDER_PARAMETERS.filter((name) => name !== 'user'), 'style'],
  refused: {
    image: { instead: 'Pictures are drawn from words alone: describe it in "prompt".' },
    mask: { instead: 'Pictures are drawn from words alone: leave it out.' },
  },
};
