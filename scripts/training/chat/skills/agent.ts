import type { Allowed } from '../../../../src/agent/loop/allowed-actions.ts';
import { createNotebook } from '../../../../src/agent/loop/notebook.ts';
import {
  answerPrompt,
  decisionPrompt,
  factsPrompt,
  MARK_BYTES,
  NOT_FOUND,
  queriesPrompt,
  standalonePrompt,
  type Evidence,
} from '../../../../src/agent/prompts.ts';
import {
  decisionSchema,
  factsSchema,
  queriesSchema,
  standaloneSchema,
} from '../../../../src/agent/schemas.ts';
import { KINDS } from '../kinds.ts';
import { capital } from '../names.ts';
import type { Making, Message, Sample, Skill } from '../sample.ts';
import { filler, kindNamed, plainQuestion, someTruths, state, type Truth } from '../world.ts';

/** A question that takes one step, or two if the first leads to the subject of the second. */
type Quest = { question: string; steps: readonly [Truth, ...Truth[]] };

export function quest(making: Making, isTwoStep = making.dice.chance(0.5)): Quest {
  const { dice } = making;
  const kind = dice.pick(KINDS);
  const subject = kind.subject(making);
  const leading = Object.entries(kind.relations).filter(([, { leadsTo, of }]) => leadsTo && of);
  if (!isTwoStep || leading.length === 0) {
    const truth = state(making, kind, subject, dice.pick(Object.keys(kind.relations)));
    return { question: truth.question, steps: [truth] };
  }
  const [key, relation] = dice.pick(leading);
  // Intermediate lookups are always worded in the same way: the question does not say how.
  const first = { ...state(making, kind, subject, key), question: plainQuestion(relation, subject) };
  const next = kindNamed(relation.leadsTo ?? '');
  const nextKey = dice.pick(Object.keys(next.relations).filter((each) => each !== key));
  const second = state(making, next, first.value, nextKey);
  const question = second.question.replace(first.value, relation.of?.(subject) ?? '');
  return { question, steps: [first, second] };
}

const document = (truth: Truth) => ({
  kind: 'document' as const,
  url: `file:///notes/${encodeURIComponent(truth.subject)}.md`,
  title: capital(truth.subject),
});

const sample = (messages: unknown, answer: string, schema?: Sample['schema']): Sample => ({
  messages: messages as readonly Message[],
  answer,
  ...(schema && { schema }),
});
const bound = (messages: unknown, value: object, schema: NonNullable<Sample['schema']>) =>
  sample(messages, JSON.stringify(value), schema);

/** What is known when a decision is due: some of the steps are done, and something else was found on the way. */
function decision(making: Making): Sample {
  const { dice } = making;
  const { question, steps } = quest(making);
  const done = dice.int(0, steps.length);
  const notebook = createNotebook();
  const noise = someTruths(making, dice.int(0, 2));
  for (const truth of dice.shuffle([...steps.slice(0, done), ...noise]))
    notebook.addFact({ source: document(truth), fact: truth.sentence, quote: truth.sentence });
  const isOnline = dice.chance(0.3);
  const tool = isOnline ? 'search' : 'docs';
  const cycle = done + dice.int(done === 0 ? 1 : 2, 4);
  // The first search is done for the model, with the queries that it wrote.
  for (const query of new Set([...firstQueries({ question, steps }), question])) notebook.try(tool, query);
  if (done > 1 || (done > 0 && dice.chance(0.3))) notebook.try(tool, steps[done - 1]?.question ?? '');
  const next = steps[done];
  const pages = isOnline ? dice.some([...(next ? [next] : []), ...someTruths(making, 2)], 3) : [];
  for (const truth of pages) {
    const title = capital(truth.subject);
    notebook.addCandidate({
      url: `https://example.org/${encodeURIComponent(title)}`,
      title,
      snippet: '',
      isAskedFor: false,
    });
  }
  const read = notebook.unread();
  const allowed: Allowed = {
    search: isOnline,
    read: read.map(({ id }) => id),
    docs: !isOnline || dice.chance(0.3),
    calculate: notebook.facts.length > 0,
    code: false,
    tools: [],
    answer: notebook.facts.length > 0,
  };
  const messages = decisionPrompt({ question, allowed, notebook, cycle, maxCycles: 6, failures: [] });
  const page = next && read.find(({ title }) => title === capital(next.subject));
  if (!next) return bound(messages, ENOUGH, decisionSchema(allowed));
  const thought = `I still need this: ${next.question}`;
  const query = [next.question, next.subject].find((each) => !notebook.wasTried(tool, each));
  return bound(messages, decided(), decisionSchema(allowed));

  function decided(): object {
    if (page !== undefined) return { thought, action: 'read', sources: [page.id] };
    if (query !== undefined)
      return isOnline ? { thought, action: 'search', queries: [query] } : { thought, action: 'docs', query };
    if (allowed.answer) return { thought: 'No more can be found.', action: 'answer', confidence: 'partial' };
    const last = `${next?.subject} ${next?.key}`;
    return isOnline
      ? { thought, action: 'search', queries: [last] }
      : { thought, action: 'docs', query: last };
  }
}

const ENOUGH = { thought: 'The facts answer the question.', action: 'answer', confidence: 'full' };

/** Years that are far apart are left to the calculator, and its result is the last fact. */
function calculation(making: Making): Sample {
  const { dice } = making;
  const kind = kindNamed(dice.pick(['town', 'firm']));
  const truths = dice.list(2, () => state(making, kind, kind.subject(making), 'founded'));
  const [first, second] = truths as [Truth, Truth];
  const question = `How many years lie between the founding of ${first.subject} and of ${second.subject}?`;
  const notebook = createNotebook();
  for (const truth of truths) {
    notebook.try('docs', truth.question);
    notebook.addFact({ source: document(truth), fact: truth.sentence, quote: truth.sentence });
  }
  const years = truths.map(({ value }) => Number(value));
  const expression = `${Math.max(...years)} - ${Math.min(...years)}`;
  const isDone = dice.chance(0.4);
  if (isDone) {
    const fact = `${expression} = ${Math.max(...years) - Math.min(...years)}`;
    notebook.try('calculate', expression);
    notebook.addFact({
      source: { kind: 'calculation', url: 'askd:calculate', title: expression },
      fact,
      quote: fact,
    });
  }
  const allowed: Allowed = {
    search: false,
    read: [],
    docs: true,
    calculate: true,
    code: false,
    tools: [],
    answer: true,
  };
  const messages = decisionPrompt({
    question,
    allowed,
    notebook,
    cycle: dice.int(2, 5),
    maxCycles: 6,
    failures: [],
  });
  const wanted = isDone ? ENOUGH : { thought: 'Both years are known.', action: 'calculate', expression };
  return bound(messages, wanted, decisionSchema(allowed));
}

/** The query and its subject: the question itself finds most, and the name alone finds the rest. */
function queries(making: Making): Sample {
  const wanted = quest(making);
  return bound(queriesPrompt(wanted.question), { queries: firstQueries(wanted) }, queriesSchema);
}

const firstQueries = ({ steps: [first] }: Quest) => [first.question, first.subject];

function passage(making: Making, truths: readonly Truth[]): Evidence {
  const { dice } = making;
  const subject = capital(truths[0]?.subject ?? '');
  const sentences = truths.map(({ sentence }) => sentence);
  for (let extra = dice.int(0, 2); extra > 0; extra--)
    sentences.splice(dice.int(0, sentences.length), 0, filler(making));
  const heading = dice.chance(0.3) ? dice.pick(['History', 'Overview', 'Notes', 'About']) : '';
  return {
    title: dice.chance(0.6)
      ? subject
      : dice.pick([
          'notes.md',
          'places',
          'people',
          'index.md',
          `note-${dice.int(0, 30)}-${dice.int(0, 3)}.md`,
        ]),
    heading,
    text: sentences.join(' '),
  };
}

const markOf = ({ dice }: Making) => dice.list(2 * MARK_BYTES, () => dice.int(0, 15).toString(16)).join('');

/** Retrieved texts of which one, two or none help. */
function extraction(making: Making): Sample {
  const { dice } = making;
  const { question, steps } = quest(making);
  const found = dice.chance(0.2) ? [] : steps.length > 1 && dice.chance(0.4) ? steps.slice(0, 1) : steps;
  const texts = [
    ...found.map((truth) => passage(making, dice.shuffle([truth, ...someTruths(making, dice.int(0, 2))]))),
    ...dice.list(dice.int(found.length > 0 ? 0 : 1, dice.chance(0.4) ? 4 : 2), () =>
      passage(making, someTruths(making, dice.int(1, 3))),
    ),
  ];
  const evidence = dice.shuffle(texts);
  const order = [...found].sort((a, b) => placeOf(evidence, a) - placeOf(evidence, b));
  const facts = order.map(({ sentence }) => ({ quote: sentence, fact: sentence }));
  return bound(factsPrompt(question, evidence, markOf(making)), { facts }, factsSchema);
}

const placeOf = (evidence: readonly Evidence[], { sentence }: Truth) =>
  evidence.findIndex(({ text }) => text.includes(sentence));

function answering(making: Making): Sample {
  const { dice } = making;
  const { question, steps } = quest(making);
  const isMissing = dice.chance(0.2);
  const shown = isMissing ? steps.slice(0, -1) : steps;
  const noise = someTruths(making, dice.int(shown.length === 0 ? 1 : 0, 3));
  const notebook = createNotebook();
  for (const truth of dice.shuffle([...shown, ...noise]))
    notebook.addFact({ source: document(truth), fact: truth.sentence, quote: truth.sentence });
  const { facts } = notebook;
  const numberOf = (truth: Truth) => facts.find(({ fact }) => fact === truth.sentence)?.source.n ?? 0;
  const sentences = steps.map((truth) => `${truth.sentence.replace(/\.$/, '')} [${numberOf(truth)}].`);
  return sample(answerPrompt({ question, facts }), isMissing ? NOT_FOUND : sentences.join(' '));
}

/** A later question in a conversation, which no longer names its subject. */
function standalone(making: Making): Sample {
  const { dice } = making;
  const kind = dice.pick(KINDS.filter(({ relations }) => Object.keys(relations).length > 1));
  const subject = kind.subject(making);
  const [before, after] = dice
    .some(Object.keys(kind.relations), 2)
    .map((key) => state(making, kind, subject, key)) as [Truth, Truth];
  const pronoun =
    kind.name === 'person' ? 'this person' : kind.name === 'town' ? 'this town' : dice.pick(['it', 'that']);
  const asked = dice.pick(['', 'And ']) + after.question.replace(subject, pronoun);
  const history = [
    { role: 'user' as const, content: before.question },
    { role: 'assistant' as const, content: `${before.sentence.replace(/\.$/, '')} [1].` },
  ];
  return bound(standalonePrompt(asked, history), { question: after.question }, standaloneSchema);
}

export const agentSkills: readonly Skill[] = [
  { name: 'agent-decision', weight: 6, make: decision },
  { name: 'agent-calculate', weight: 0.5, make: calculation },
  { name: 'agent-queries', weight: 1.5, make: queries },
  { name: 'agent-facts', weight: 5, make: extraction },
  { name: 'agent-answer', weight: 4, make: answering },
  { name: 'agent-standalone', weight: 0.7, make: standalone },
];
