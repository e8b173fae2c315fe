import type { AppliedAdapter, ModelDefaults } from '../../runtime/manifest.ts';

/** The programs whose models can be adopted: the word for `--from`, and the name that people know. */
export const PROGRAMS = {
  ollama: 'Ollama',
  'lm-studio': 'LM Studio',
  'llama.cpp': 'llama.cpp',
  jan: 'Jan',
  gpt4all: 'GPT4All',
  hub: 'the hub cache',
} as const;

export type Program = keyof typeof PROGRAMS;

/** A model as another program stores it, before its files are read. */
export type Candidate = {
  program: Program;
  /** Its name in that program. */
  name: string;
  /** The weights, or a folder of ONNX files. */
  path: string;
  projector?: string;
  adapters?: readonly AppliedAdapter[];
  licence?: string;
  defaults?: ModelDefaults;
  /** Parts of its definition that askd does not honour, and why. */
  unmet?: readonly string[];
  /** Its files are named by the hash of their content, so a new date means nothing. */
  isContentAddressed?: true;
  /** Why there is nothing to run. */
  obstacle?: string;
};
