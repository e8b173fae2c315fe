import type { ModelManifest } from '../../runtime/manifest.ts';

/** Of no meaning to a file of answers, but clients expect one. */
export const CONTEXT_TOKENS = 131_072;

/** The model that gives the answers of this file; none where the setting names no file. */
export function scriptedModel(path: string): ModelManifest[] {
  if (path === '') return [];
  return [
    {
      id: 'scripted',
      name: 'Scripted answers',
      engine: 'script',
      tasks: ['chat'],
      services: [],
      tier: 'imported',
      licence: 'unknown',
      path,
      bytes: 0,
      contextTokensMax: CONTEXT_TOKENS,
      notice: 'It is for tests: a file has its answers.',
    },
  ];
}
