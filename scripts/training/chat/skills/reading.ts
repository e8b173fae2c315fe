import { capital } from '../names.ts';
import { filled, phrase } from '../phrases.ts';
import { filler, someTruths, state, type Truth } from '../world.ts';
import { ask, type Making, type Sample, type Skill } from '../sample.ts';

const ABSENT = 'The text does not say that.';

const FRAMES =
  '(read this|read the text|here is a text|text|context|passage|paragraph|document|from this text|consider this|use this text|look at this|I have this text)(: |.\n|:\n|:\n\n){t}(\n\n|\n)(|question: |now answer: |answer from it: |answer from the text: |Q: |my question: |tell me: ){q}|' +
  '{q}\n\n(|text: |here is the text: |context: |from this text: |the text: ){t}|' +
  '(answer|answer this|answer the question) (from|with|by|using) (the text|this text|this passage|what follows|the paragraph)(: |. |:\n|.\n\n)({q}\n\n{t}|{t}\n\n{q}|{t} {q})|{t}(\n\n|\n| ){q}';

function paragraph(making: Making, truths: readonly Truth[]): string {
  const { dice } = making;
  const sentences = truths.map(({ sentence }) => sentence);
  for (let extra = dice.int(0, 2); extra > 0; extra--)
    sentences.splice(dice.int(0, sentences.length), 0, filler(making));
  return sentences.join(' ');
}

const framed = (making: Making, truths: readonly Truth[], question: string) =>
  capital(filled(phrase(making, FRAMES), { t: paragraph(making, truths), q: question }));

function read(making: Making, least: number, most: number): Sample {
  const { dice } = making;
  const truths = someTruths(making, dice.int(least, most));
  const { question, value } = dice.pick(truths);
  return ask(framed(making, truths, question), value);
}

/** Half of the unanswerable questions are about somebody in the text, so that a known name alone is not an answer. */
function absent(making: Making): Sample {
  const { dice } = making;
  const truths = someTruths(making, dice.int(2, 4));
  const { kind, subject } = dice.pick(truths);
  const stated = truths.filter((each) => each.subject === subject).map(({ key }) => key);
  const untold = Object.keys(kind.relations).filter((key) => !stated.includes(key));
  const about = dice.chance(0.5) ? subject : kind.subject(making);
  const { question } = state(making, kind, about, dice.pick(untold.length > 0 ? untold : stated));
  const isStated = untold.length === 0 && about === subject;
  return isStated ? read(making, 2, 4) : ask(framed(making, truths, question), ABSENT);
}

export const readingSkills: readonly Skill[] = [
  { name: 'read-short', weight: 6, make: (making) => read(making, 1, 3) },
  { name: 'read', weight: 8, make: (making) => read(making, 3, 7) },
  { name: 'read-absent', weight: 5, make: absent },
];
