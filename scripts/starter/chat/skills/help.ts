import { loadAll } from '../../../../cli/command-choice.ts';
import { ask, wording, type Making, type Sample, type Skill } from '../sample.ts';
import { capital } from '../names.ts';
import { WORDED } from './help-words.ts';
import { FRAMES, FRAMES_HELD, GOALS } from './help-goals.ts';

const COMMANDS = await loadAll();
const DOCUMENTED = COMMANDS.filter(({ name }) => GOALS[name] !== undefined);
/** Commands of which nobody has said yet what one wants who needs them: the model will not know them. */
export const UNASKED = COMMANDS.filter(({ name }) => GOALS[name] === undefined).map(({ name }) => name);

/** The first example and the summary, as `askd help` shows them. */
function answerFor({ name, summary, examples }: (typeof COMMANDS)[number]): string {
  const example = examples[0]?.startsWith('askd') ? examples[0] : `askd ${name}`;
  return `Run \`${example.split(' && ').at(-1)}\`: ${summary}.`;
}

function howTo(making: Making): Sample {
  const command = making.dice.pick(DOCUMENTED);
  const goals = GOALS[command.name] ?? [];
  const worded = (WORDED[command.name] ?? []).filter((each) => each !== goals.at(-1));
  const isWorded = !making.isHeld && worded.length > 0 && making.dice.chance(0.6);
  const goal = isWorded ? making.dice.pick(worded) : wording(making, goals);
  return ask(wording(making, FRAMES, FRAMES_HELD)(goal), answerFor(command));
}

const WHAT_FRAMES: readonly ((name: string) => string)[] = [
  (name) => `What does \`askd ${name}\` do?`,
  (name) => `what does askd ${name} do`,
  (name) => `Explain askd ${name}.`,
  (name) => `explain \`askd ${name}\``,
  (name) => `What happens when I run askd ${name}?`,
  (name) => `Describe \`askd ${name}\`.`,
  (name) => `Tell me what askd ${name} does.`,
  (name) => `when do I need askd ${name}`,
  (name) => `What about askd ${name}?`,
  (name) => `I saw \`askd ${name}\`. What is it?`,
  (name) => `help with askd ${name}`,
  (name) => `about ${name} in askd`,
  (name) => `what is askd ${name} for?`,
  (name) => `askd ${name}?`,
  (name) => `Tell me about \`askd ${name}\`.`,
];

function whatIs(making: Making): Sample {
  const { name, summary, examples } = making.dice.pick(DOCUMENTED);
  const example = examples[0] ?? `askd ${name}`;
  return ask(wording(making, WHAT_FRAMES)(name), `${capital(summary)}. For example: \`${example}\``);
}

export const helpSkills: readonly Skill[] = [
  { name: 'help', weight: 24, make: howTo },
  { name: 'help-what', weight: 5, make: whatIs },
];
