import { forCategories } from '../../../src/base/moderation-categories.ts';
import { starterModel } from './starter-model.ts';

export const starterModeration = starterModel({
  id: 'starter-moderation',
  name: 'askd starter, moderation',
  folder: 'moderation',
  engine: 'onnx',
  tasks: ['moderate'],
  services: ['svc-moderation-v1'],
  contextTokensMax: 2048,
  moderation: { labels: forCategories((category) => ({ greatestOf: [category] })) },
  notice:
    'A tiny starter model: it recognizes explicit English wording only and misses most of what is implied.',
});
