import type { Skill } from './sample.ts';
import { CHAT_SKILLS, WORDS_SKILLS } from './skills.ts';
import { CHAT_TEMPLATE, WORDS_TEMPLATE } from './template.ts';

export type ModelName = 'chat' | 'words';

/** The models trained here: the same except for what they learn and how large they are. */
export type Recipe = {
  skills: readonly Skill[];
  template: string;
  /** Tokens besides the bytes and the control tokens. */
  merges: number;
  shape: { width: number; layers: number; heads: number; feed_forward: number };
  /** Skills that are learned first and alone, for this many tokens: copying. */
  first: { skills: readonly string[]; tokens: number };
  /** Texts of each skill for the tokenizer, and training samples, in proportion to the skill's weight. */
  textsPerWeight: number;
  samplesPerWeight: number;
  /** For the card. */
  data: string;
};

export const RECIPES: Readonly<Record<ModelName, Recipe>> = {
  chat: {
    skills: CHAT_SKILLS,
    template: CHAT_TEMPLATE,
    merges: 2810,
    shape: { width: 256, layers: 4, heads: 8, feed_forward: 704 },
    first: { skills: ['text-repeat', 'text-commas', 'text-bullets'], tokens: 0.7e6 },
    textsPerWeight: 250,
    samplesPerWeight: 5000,
    data: `generated conversations of ${CHAT_SKILLS.length} skills, and askd's own list of commands, endpoints and errors`,
  },
  words: {
    skills: WORDS_SKILLS,
    template: WORDS_TEMPLATE,
    merges: 2554,
    shape: { width: 256, layers: 4, heads: 8, feed_forward: 576 },
    first: { skills: ['names'], tokens: 0.3e6 },
    textsPerWeight: 2000,
    samplesPerWeight: 15_000,
    data: 'generated sentences in six languages, and small functions in Python and JavaScript with the ways to ask for them',
  },
};

export function recipeOf(name: string): Recipe {
  const recipe = RECIPES[name as ModelName] as Recipe | undefined;
  if (!recipe)
    throw new Error(`There is no model "${name}": there are ${Object.keys(RECIPES).join(' and ')}`);
  return recipe;
}
