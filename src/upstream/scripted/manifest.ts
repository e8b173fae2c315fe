import type { ModelManifest } from '../../runtime/manifest.ts';

/** Meaningless for a file of answers, but clients expect a number. */
export const CONTEXT_TOKENS = 131_072;

/** The model that gives the answers of this file; undefined if the setting names no file. */
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
