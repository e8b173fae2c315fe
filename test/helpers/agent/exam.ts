import type { TestAgent } from './open-agent.ts';
import type { WorldPage, WorldQuestion } from './world.ts';

const MINUTE_MS = 60_000;

type Asked = {
  question: WorldQuestion;
  answer: string;
  stopped: string;
  citations: { url: string; quote: string }[];
  cycles: number;
  calls: number;
};

export type Exam = {
  pages: readonly WorldPage[];
  questions: readonly WorldQuestion[];
  /** Before each question. */
  prepare?: (index: number) => void;
};

/** Asks all questions, and counts what was lost on the way. */
export async function examine(agent: TestAgent, { pages, questions, prepare }: Exam) {
  const asked: Asked[] = [];
  for (const [index, question] of questions.entries()) {
    // So that the limits per minute are not reached.
    agent.clock.advance(MINUTE_MS);
    prepare?.(index);
    const { done } = await agent.run({ query: question.text });
    if (!done) throw new Error(`no answer to ${question.text}`);
    const { answer, stopped, citations, usage } = done;
    asked.push({ question, answer, stopped, citations, cycles: usage.cycles, calls: usage.model_calls });
  }
  return scores(asked, pages);
}

function scores(asked: readonly Asked[], pages: readonly WorldPage[]) {
  const present = asked.filter(({ question }) => question.answer !== undefined);
  const absent = asked.filter(({ question }) => question.answer === undefined);
  const contested = asked.filter(({ question }) => question.kind === 'contradiction');
  const exact = present.filter(({ question, answer }) => bare(answer) === question.answer);
  const citations = asked
    .flatMap((each) => each.citations)
    .filter(({ url }) => !url.startsWith('askd:calculate'));
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    kinds: new Set(asked.map(({ question }) => question.kind)).size,
    questions: asked.length,
    exactMatch: exact.length / present.length,
    uncited: present.filter((each) => each.citations.length === 0).length,
    /** Contradictions that were reported with only one of their two sources. */
    oneSided: contested.filter((each) => new Set(each.citations.map(({ url }) => url)).size < 2).length,
    citationPrecision: citations.filter((each) => isTrue(each, pages)).length / citations.length,
    abstention: absent.filter(({ stopped }) => stopped === 'no_sources').length / absent.length,
    cycles: mean(asked.map(({ cycles }) => cycles)),
    calls: mean(asked.map(({ calls }) => calls)),
    missed: present
      .filter((each) => !exact.includes(each))
      .map(({ question, answer }) => [question.text, question.answer, answer]),
  };
}

/** Without numbers of sources and the full stop. */
const bare = (answer: string) =>
  answer
    .replace(/\s*\[\d+\]/g, '')
    .replace(/\.$/, '')
    .trim();

/** The quote is in the very page that is named. */
function isTrue({ url, quote }: { url: string; quote: string }, pages: readonly WorldPage[]): boolean {
  const name = /([\w-]+)(?:\.\w+)?$/.exec(new URL(url).pathname)?.[1];
  const page = pages.find(({ path }) => path === name);
  return page?.paragraphs.some((text) => text.includes(quote.replace(/\s+/g, ' '))) ?? false;
}
