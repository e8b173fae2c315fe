import { filler, someTruths, tell, type Truth } from '../world.ts';
import { ask, wording, type Making, type Sample, type Skill } from '../sample.ts';

const ABSENT = 'The text does not say that.';

type Frame = (text: string, question: string) => string;

/** The last two are kept for evaluation. */
const FRAMES: readonly Frame[] = [
  (text, question) => `${text}\n\n${question}`,
  (text, question) => `Read this: ${text}\n\n${question}`,
  (text, question) => `Text: ${text}\nQuestion: ${question}`,
  (text, question) => `${question}\n\n${text}`,
  (text, question) => `Here is a text.\n${text}\n\nAnswer from it: ${question}`,
  (text, question) => `Answer from this text.\n\n${text}\n\n${question}`,
  (text, question) => `Use the text to answer. ${text} ${question}`,
];

function paragraph(making: Making, truths: readonly Truth[]): string {
  const { dice } = making;
  const sentences = truths.map(({ sentence }) => sentence);
  for (let extra = dice.int(0, 2); extra > 0; extra--)
    sentences.splice(dice.int(0, sentences.length), 0, filler(making));
  return sentences.join(' ');
}

function read(making: Making, least: number, most: number): Sample {
  const { dice } = making;
  const truths = someTruths(making, dice.int(least, most));
  const frame = wording(making, FRAMES, 2);
  const { question, value } = dice.pick(truths);
  return ask(frame(paragraph(making, truths), question), value);
}

/** Half of what is asked for in vain is about somebody in the text, so that a known name alone is no answer. */
function absent(making: Making): Sample {
  const { dice } = making;
  const truths = someTruths(making, dice.int(2, 4));
  const { kind, subject } = dice.pick(truths);
  const told = truths.filter((each) => each.subject === subject).map(({ key }) => key);
  const untold = Object.keys(kind.relations).filter((key) => !told.includes(key));
  const about = dice.chance(0.5) ? subject : kind.subject(making);
  const { question } = tell(making, kind, about, dice.pick(untold.length > 0 ? untold : told));
  const isTold = untold.length === 0 && about === subject;
  const frame = wording(making, FRAMES, 2);
  return isTold ? read(making, 2, 4) : ask(frame(paragraph(making, truths), question), ABSENT);
}

export const readingSkills: readonly Skill[] = [
  { name: 'read-short', weight: 6, make: (making) => read(making, 1, 3) },
  { name: 'read', weight: 7, make: (making) => read(making, 3, 7) },
  { name: 'read-absent', weight: 3, make: absent },
];
