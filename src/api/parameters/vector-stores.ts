import type { ParameterPolicy } from './parameter-policy.ts';

export const vectorStorePolicy: ParameterPolicy = { withoutEffect: ['description'] };

export const vectorSearchPolicy: ParameterPolicy = {
  withoutEffect: ['ranking_options.ranker', 'rewrite_query'],
};
