import type { ParameterPolicy } from './parameter-policy.ts';
import { PROVIDER_PARAMETERS } from './provider.ts';

export const imagesPolicy: ParameterPolicy = {
  withoutEffect: [...PROVIDER_PARAMETERS.filter((name) => name !== 'user'), 'style'],
  refused: {
    image: { instead: 'Images are generated from text only: describe it in "prompt".' },
    mask: { instead: 'Images are generated from text only: omit it.' },
  },
};
