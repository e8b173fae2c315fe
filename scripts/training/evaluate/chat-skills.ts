import { fits } from '../../../src/agent/schemas.ts';
import { samplesOf } from '../chat/corpus.ts';
import type { Sample } from '../chat/sample.ts';
import { RECIPES, type ModelName } from '../chat/models.ts';

/** One row of the table: skills of the chat model that are scored in the same way. */
export type Group = {
  skill: string;
  measure: string;
  of: (name: string) => boolean;
  isRight: Check;
};
type Check = (answer: string, sample: Sample) => boolean;

const isExact: Check = (answer, sample) => answer.trim() === sample.answer.trim();

/** The command in the first code of an answer. */
const commandIn = (text: string) => /`askd ([^`]*)`/.exec(text)?.[1];
const namesCommand: Check = (answer, sample) => commandIn(answer) === commandIn(sample.answer);

const lastNumber = (text: string) => text.match(/-?\d+/g)?.at(-1);
const hasResult: Check = (answer, sample) => lastNumber(answer) === lastNumber(sample.answer);

type Decided = { thought?: unknown; action?: unknown; query?: unknown; queries?: unknown };
/** What is done and with what; how a thought or a query is worded is the model's own. */
function act(text: string): string | undefined {
  try {
    const { thought, query, queries, ...rest } = JSON.parse(text) as Decided;
    return thought === undefined ? undefined : JSON.stringify({ ...rest, asks: !!(query ?? queries) });
  } catch {
    return undefined;
  }
}
const isValid: Check = (answer, { schema = {} }) => {
  try {
    return fits(schema, JSON.parse(answer));
  } catch {
    return false;
  }
};
const decidesRight: Check = (answer, sample) => act(answer) === act(sample.answer);

const startsWith =
  (...starts: string[]) =>
  (name: string) =>
    starts.some((start) => name.startsWith(start));
const isDecision = startsWith('agent-decision', 'agent-calculate');

const CHAT: readonly Group[] = [
  { skill: 'help', measure: 'right command', of: (name) => name === 'help', isRight: namesCommand },
  {
    skill: 'commands, endpoints, errors',
    measure: 'exact',
    of: startsWith('help-what', 'endpoint', 'which', 'error'),
    isRight: isExact,
  },
  { skill: 'greetings and itself', measure: 'exact', of: startsWith('identity', 'beyond'), isRight: isExact },
  { skill: 'text work', measure: 'exact', of: startsWith('text-'), isRight: isExact },
  {
    skill: 'arithmetic',
    measure: 'right result',
    of: startsWith('add', 'subtract', 'multiply', 'divide', 'compare'),
    isRight: hasResult,
  },
  { skill: 'dates', measure: 'exact', of: startsWith('date-'), isRight: isExact },
  { skill: 'conversations', measure: 'exact', of: startsWith('turns'), isRight: isExact },
  { skill: 'reading', measure: 'exact', of: startsWith('read'), isRight: isExact },
  { skill: 'agent decisions', measure: 'valid', of: isDecision, isRight: isValid },
  { skill: 'agent decisions', measure: 'right', of: isDecision, isRight: decidesRight },
  {
    skill: 'agent queries',
    measure: 'exact',
    of: startsWith('agent-queries', 'agent-standalone'),
    isRight: isExact,
  },
  { skill: 'agent facts', measure: 'exact', of: startsWith('agent-facts'), isRight: isExact },
  { skill: 'agent answers', measure: 'exact', of: startsWith('agent-answer'), isRight: isExact },
  { skill: 'calls of tools', measure: 'exact', of: startsWith('tools'), isRight: isExact },
];

const only =
  (...names: string[]) =>
  (name: string) =>
    names.includes(name);
const WORDS: readonly Group[] = [
  { skill: 'translation', measure: 'exact', of: only('translate'), isRight: isExact },
  { skill: 'translation, names', measure: 'exact', of: only('names'), isRight: isExact },
  { skill: 'translation, too hard', measure: 'says so', of: only('translate-beyond'), isRight: isExact },
  { skill: 'code', measure: 'exact', of: only('code'), isRight: isExact },
  { skill: 'code, too hard', measure: 'says so', of: only('code-beyond'), isRight: isExact },
];

export const GROUPS: Readonly<Record<ModelName, readonly Group[]>> = { chat: CHAT, words: WORDS };

/** About as many of each skill of a group, all of wordings and names that training never sees. */
export function samplesOfGroup(model: ModelName, { of }: Group, count: number): Sample[] {
  const skills = RECIPES[model].skills.filter(({ name }) => of(name));
  return skills.flatMap((skill) => [...samplesOf(skill, 'held', Math.ceil(count / skills.length))]);
}
