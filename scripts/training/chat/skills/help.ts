import { loadAll } from '../../../../cli/command-line/load-commands.ts';
import { begun, filled, phrase } from '../phrases.ts';
import { ask, wording, type Making, type Sample, type Skill } from '../sample.ts';
import { capital } from '../names.ts';
import { WORDED } from './help-words.ts';
import { ASKED } from './help-asked.ts';
import { typed } from './typed.ts';
import { FRAMES, FRAMES_HELD, GOALS } from './help-goals.ts';

const COMMANDS = await loadAll();
const DOCUMENTED = COMMANDS.filter(({ name }) => GOALS[name] !== undefined);
/** Commands without a goal in help-goals.ts: the model will not know them. */
export const UNASKED = COMMANDS.filter(({ name }) => GOALS[name] === undefined).map(({ name }) => name);

/** The first example and the summary, as `askd help` shows them. */
function answerFor({ name, summary, examples }: (typeof COMMANDS)[number]): string {
  const example = examples[0]?.startsWith('askd') ? examples[0] : `askd ${name}`;
  return `Run \`${example.split(' && ').at(-1)}\`: ${summary}.`;
}

/** Some people write short words such as API in capitals. */
const shortened = ({ dice }: Making, goal: string) =>
  dice.chance(0.5)
    ? goal.replace(/\b(api|csv|pdf|url|gguf|cuda|mp3)s?\b/g, (word) => word.toUpperCase())
    : goal;

function howTo(making: Making): Sample {
  const command = making.dice.pick(DOCUMENTED);
  const goals = GOALS[command.name] ?? [];
  const worded = (WORDED[command.name] ?? []).filter((each) => each !== goals.at(-1));
  const isWorded = !making.isHeld && worded.length > 0 && making.dice.chance(0.6);
  const goal = isWorded ? making.dice.pick(worded) : wording(making, goals);
  return ask(wording(making, FRAMES, FRAMES_HELD)(shortened(making, goal)), answerFor(command));
}

export const WANTED =
  '(how do i|how can i|how to|how would i|how does one|can i|could i|i want to|i need to|i have to|want to|need to|i would like to|' +
  'is there a way to|is it possible to|what do i run to|what is the command to|which command to|tell me how to|please|) ';

/** The same wishes, as people type them in a hurry or in trouble. */
function asked(making: Making): Sample {
  const command = making.dice.pick(DOCUMENTED);
  const { wanted = '', said = '' } = ASKED[command.name] ?? {};
  const isSaid = said !== '' && (wanted === '' || making.dice.chance(0.5));
  const question = phrase(making, isSaid ? said : `${WANTED}(${wanted})`).trim();
  return ask(typed(making, question), answerFor(command));
}

const WHAT =
  '(what does|what is|what happens with|what about|what do I need) {n}( do| for| good for|)?|' +
  '(explain|describe|tell me about|help with|explain to me|I want to know about) {n}|(tell me|explain) what {n} (does|is for|is)|' +
  '(what happens when|what happens if) I (run|type|enter|use) {n}?|when do I (need|use|run) {n}?|I saw {n}. What is it?|{n}?|(how do I use|how does one use|how to use) {n}?';

function whatIs(making: Making): Sample {
  const { name, summary, examples } = making.dice.pick(DOCUMENTED);
  const example = examples[0] ?? `askd ${name}`;
  const named = making.dice.pick([`askd ${name}`, `\`askd ${name}\``, `the command askd ${name}`]);
  return ask(
    begun(making, filled(phrase(making, WHAT), { n: named })),
    `${capital(summary)}. For example: \`${example}\``,
  );
}

export const helpSkills: readonly Skill[] = [
  { name: 'help', weight: 10, make: howTo },
  { name: 'help-asked', weight: 24, make: asked },
  { name: 'help-what', weight: 2, make: whatIs },
];
