import { realpathSync } from 'node:fs';
import type { ModelStores } from '../../config/model-stores.ts';
import { PROGRAMS, type Candidate, type Program } from './candidate.ts';
import { findInGpt4All, findInJan, findInLlamaCpp } from './programs/gguf-folders.ts';
import { findInHub } from './programs/hub.ts';
import { findInLmStudio } from './programs/lm-studio.ts';
import { findInOllama } from './programs/ollama.ts';

export type Places = { stores: ModelStores; hubCache: string };

const FINDERS: Readonly<Record<Program, (places: Places) => Candidate[]>> = {
  ollama: ({ stores }) => findInOllama(stores.ollama),
  'lm-studio': ({ stores }) => findInLmStudio(stores.lmStudio),
  'llama.cpp': ({ stores }) => findInLlamaCpp(stores.llamaCpp),
  jan: ({ stores }) => findInJan(stores.jan),
  gpt4all: ({ stores }) => findInGpt4All(stores.gpt4all),
  hub: ({ hubCache }) => findInHub(hubCache),
};

/** The models of other programs on this machine. A file that two programs share is listed for the first one. */
export function findModels(places: Places): { candidates: Candidate[]; unreadable: string[] } {
  const candidates: Candidate[] = [];
  const unreadable: string[] = [];
  const seen = new Set<string>();
  for (const [program, find] of Object.entries(FINDERS) as [Program, (typeof FINDERS)[Program]][]) {
    try {
      for (const candidate of find(places)) {
        const key = keyOf(candidate);
        if (!seen.has(key)) candidates.push(candidate);
        seen.add(key);
      }
    } catch (error) {
      unreadable.push(`${PROGRAMS[program]}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return { candidates, unreadable };
}

/** Two names in Ollama may share weights and differ in everything else. */
function keyOf({ program, name, path }: Candidate): string {
  return program === 'ollama' ? `${program} ${name}` : realPath(path);
}

/** With all links resolved. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
