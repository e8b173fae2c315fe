import { agentSkills } from './skills/agent.ts';
import { arithmeticSkills } from './skills/arithmetic.ts';
import { beyondSkills } from './skills/beyond.ts';
import { codeSkills } from './skills/code.ts';
import { dateSkills } from './skills/dates.ts';
import { helpSkills } from './skills/help.ts';
import { identitySkills } from './skills/identity.ts';
import { readingSkills } from './skills/reading.ts';
import { referenceSkills } from './skills/reference.ts';
import { selectingSkills } from './skills/selecting.ts';
import { textSkills } from './skills/text.ts';
import { toolSkills } from './skills/tools.ts';
import { translateSkills } from './skills/translate.ts';
import { turnsOf } from './skills/turns.ts';
import { wordsIdentitySkills } from './skills/words-identity.ts';
import type { Skill } from './sample.ts';

const TALK: readonly Skill[] = [
  ...helpSkills,
  ...referenceSkills,
  ...identitySkills,
  ...beyondSkills,
  ...textSkills,
  ...arithmeticSkills,
  ...dateSkills,
];

/** Everything that the chat model learns. */
export const CHAT_SKILLS: readonly Skill[] = [
  ...TALK,
  turnsOf(TALK, 'turns', 7),
  ...readingSkills,
  ...selectingSkills,
  ...agentSkills,
  ...toolSkills,
];

const WORDS: readonly Skill[] = [...translateSkills, ...codeSkills, ...wordsIdentitySkills];

/** Everything that the model for translation and code learns. */
export const WORDS_SKILLS: readonly Skill[] = [...WORDS, turnsOf(WORDS, 'words-turns', 0.5, 1)];
