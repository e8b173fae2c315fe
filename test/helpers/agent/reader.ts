import type { ScriptedCall } from './scripted-chat.ts';

/** A relation and its subject. */
type Need = { subject: string; what: keyof typeof SAYS };

/** The sentence of the world that says it. */
const SAYS = {
  river: (subject: string) => new RegExp(`The ${subject} crosses the river (\\w+)\\.`),
  architect: (subject: string) => new RegExp(`The ${subject} was designed by ([\\w ]+)\\.`),
  opened: (subject: string) => new RegExp(`The ${subject} was opened on ([\\d-]+)\\.`),
  metres: (subject: string) => new RegExp(`The ${subject} is (\\d+) metres long\\.`),
  wide: (subject: string) => new RegExp(`The ${subject} is (\\d+) metres wide\\.`),
  born: (subject: string) => new RegExp(`${subject} was born on [\\d-]+ in (\\w+)\\.`),
  bridges: (subject: string) => new RegExp(`${subject} designed the following bridges: ([^.]+)\\.`),
  wife: (subject: string) => new RegExp(`The wife of ${subject} was ([\\w ]+)\\.`),
};

const ABOUT: Record<Need['what'], string> = {
  river: 'river crosses',
  architect: 'designed by architect',
  opened: 'opened',
  metres: 'metres long',
  wide: 'metres wide',
  born: 'born in',
  bridges: 'designed bridges',
  wife: 'wife',
};

/** Reads perfectly and knows nothing: everything that it says is in its prompt. So any error is the loop's. */
export function perfectReader({ kind, prompt, schema }: ScriptedCall): string {
  const question = /Question: (.+)/.exec(prompt)?.[1] ?? '';
  if (kind === 'queries') return JSON.stringify({ queries: firstNeeds(question).map(queryFor).slice(0, 3) });
  if (kind === 'facts') return JSON.stringify(readFacts(question, prompt));
  if (kind === 'decide') return JSON.stringify(decideNext(question, prompt, schema ?? {}));
  if (kind === 'answer') return answerFrom(question, prompt);
  if (kind === 'standalone') return JSON.stringify({ question: question || 'none' });
  return 'I am a script.';
}

const queryFor = ({ subject, what }: Need) => `${subject} ${ABOUT[what]}`;

/** The people and bridges that a question mentions. */
function parse(question: string): { kind: string; subjects: string[] } {
  const bridges = Array.from(question.matchAll(/the (\w+ Bridge)/g), ([, name = '']) => name);
  const person = /(?:did|wife of) (\w+ \w+)/.exec(question)?.[1];
  const kind = /river/.test(question)
    ? 'river'
    : /architect/.test(question)
      ? 'hop'
      : /How wide/.test(question)
        ? 'wide'
        : /longer/.test(question)
          ? 'longer'
          : /How many bridges/.test(question)
            ? 'count'
            : /days lie/.test(question)
              ? 'days'
              : 'wife';
  return { kind, subjects: person === undefined ? bridges : [person] };
}

function firstNeeds(question: string): Need[] {
  const { kind, subjects } = parse(question);
  const what = {
    river: 'river',
    hop: 'architect',
    longer: 'metres',
    wide: 'wide',
    count: 'bridges',
    days: 'opened',
    wife: 'wife',
  }[kind];
  return subjects.map((subject) => ({ subject, what: what as Need['what'] }));
}

/** Everything that is needed, given what is known. */
function needs(question: string, known: string): Need[] {
  const first = firstNeeds(question);
  if (parse(question).kind !== 'hop') return first;
  const architect = first[0] && find(first[0], known);
  return architect === undefined ? first : [...first, { subject: architect, what: 'born' }];
}

function find({ subject, what }: Need, text: string): string | undefined {
  return SAYS[what](subject).exec(text)?.[1];
}

/**
 * All sentences of the texts that say what is needed, since pages may disagree. A two-hop question also takes every
 * birth, because the person is only known later.
 */
function readFacts(question: string, prompt: string) {
  const wanted = firstNeeds(question).map(({ subject, what }) => SAYS[what](subject));
  // A sentence may span several lines.
  const text = prompt.replace(/\n/g, ' ');
  const births = parse(question).kind === 'hop' ? [/\w+ \w+ was born on [\d-]+ in \w+\./] : [];
  const sentences = [
    ...[...wanted, ...births].flatMap((pattern) =>
      Array.from(text.matchAll(new RegExp(pattern, 'g')), ([sentence]) => sentence),
    ),
  ];
  const facts = [...new Set(sentences)]
    .slice(0, 4)
    .map((text) => ({ quote: text.slice(0, 160), fact: text.slice(0, 200) }));
  return { facts };
}

function decideNext(question: string, prompt: string, schema: Record<string, unknown>) {
  const facts = /Facts so far:\n([\s\S]*?)\n\n/.exec(prompt)?.[1] ?? '';
  const missing = needs(question, facts).filter((need) => find(need, facts) === undefined);
  const allowed = actionsOf(schema);
  const act = (action: string, rest: object) => ({ thought: `Next: ${action}`, action, ...rest });
  const [need] = missing;
  const unread = unreadAbout(need ?? firstNeeds(question)[0], prompt);
  // If pages disagree, one is not enough.
  const isWanted = need !== undefined || parse(question).kind === 'wide';
  if (unread && isWanted && allowed.has('read')) return act('read', { sources: [unread] });
  if (need) {
    const query = `${queryFor(need)}`;
    if (allowed.has('docs') && !prompt.includes(`docs: ${query}`)) return act('docs', { query });
    if (allowed.has('search') && !prompt.includes(`search: ${query}`))
      return act('search', { queries: [query] });
  } else if (parse(question).kind === 'days' && !facts.includes(' = ') && allowed.has('calculate')) {
    const [a, b] = needs(question, facts).map((each) => find(each, facts));
    return act('calculate', { expression: `abs(${a} - ${b})` });
  }
  if (allowed.has('answer')) return act('answer', { confidence: missing.length > 0 ? 'partial' : 'full' });
  return act('docs', { query: question.slice(0, 120) });
}

/** The number of a listed page whose title names it. */
function unreadAbout(need: Need | undefined, prompt: string): number | undefined {
  const listed = Array.from(prompt.matchAll(/^(\d+) \| \S+ \| (.*)$/gm));
  const found = listed.find(([, , title = '']) => need && title.includes(need.subject));
  return found && Number(found[1]);
}

function actionsOf(schema: Record<string, unknown>): Set<string> {
  const branches = (schema['oneOf'] ?? []) as { properties: { action: { const: string } } }[];
  return new Set(branches.map(({ properties }) => properties.action.const));
}

function answerFrom(question: string, prompt: string): string {
  const { kind } = parse(question);
  const lines = Array.from(prompt.matchAll(/^\[(\d+)\] (.*) — "/gm), ([, n = '', fact = '']) => ({
    n,
    fact,
  }));
  const facts = lines.map(({ fact }) => fact).join('\n');
  const all = needs(question, facts);
  const values = all.map((need) => find(need, facts));
  if (values.some((value) => value === undefined)) return 'NOT_FOUND';
  const numberOf = (need: Need) => lines.find(({ fact }) => find(need, fact) !== undefined)?.n ?? '0';
  const marks = (list: readonly Need[]) => list.map((need) => `[${numberOf(need)}]`).join('');
  if (kind === 'days') {
    const sum = lines.find(({ fact }) => fact.includes(' = '));
    const days = sum && /= (\d+) day/.exec(sum.fact)?.[1];
    return days === undefined ? 'NOT_FOUND' : `${days} [${sum?.n}].`;
  }
  if (kind === 'longer') {
    const [a, b] = values.map(Number);
    return `${(a ?? 0) > (b ?? 0) ? all[0]?.subject : all[1]?.subject} ${marks(all)}.`;
  }
  if (kind === 'wide') return allWidths(all[0] as Need, lines);
  if (kind === 'count') return `${(values[0] ?? '').split(',').length} ${marks(all)}.`;
  return `${values.at(-1)} ${marks(all)}.`;
}

/** Two widths are answered with both, and their sources. */
function allWidths(need: Need, lines: readonly { n: string; fact: string }[]): string {
  const found = lines.flatMap(({ n, fact }) => {
    const value = find(need, fact);
    return value === undefined ? [] : [{ n, value: Number(value) }];
  });
  found.sort((a, b) => a.value - b.value);
  return `${found.map(({ value }) => value).join(' or ')} ${found.map(({ n }) => `[${n}]`).join('')}.`;
}
