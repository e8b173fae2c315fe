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
    'This is the starter model of askd: it knows plain English wordings only, and misses much that is hinted at.',
});
