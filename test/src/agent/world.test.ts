import { describe, expect, test } from 'vitest';
import { comparable } from '../../helpers/agent/event-grammar.ts';
import { openAgent, type TestAgent } from '../../helpers/agent/open-agent.ts';
import { perfectReader } from '../../helpers/agent/reader.ts';
import { scriptedChat } from '../../helpers/agent/scripted-chat.ts';
import { createWorld, type World, type WorldQuestion } from '../../helpers/agent/world.ts';

const WORLD = createWorld(7);
const MINUTE_MS = 60_000;

/** Without numbers of sources and the full stop. */
const bare = (answer: string) =>
  answer
    .replace(/\s*\[\d+\]/g, '')
    .replace(/\.$/, '')
    .trim();

type Asked = {
  question: WorldQuestion;
  answer: string;
  stopped: string;
  quotes: string[];
  cycles: number;
  calls: number;
};

async function askAll({ run, clock }: TestAgent, { questions }: World): Promise<Asked[]> {
  const asked: Asked[] = [];
  for (const question of questions) {
    clock.advance(MINUTE_MS);
    const { done } = await run({ query: question.text });
    if (!done) throw new Error(`no answer to ${question.text}`);
    const { answer, stopped, citations, usage } = done;
    const quotes = citations.map(({ quote }) => quote);
    asked.push({ question, answer, stopped, quotes, cycles: usage.cycles, calls: usage.model_calls });
  }
  return asked;
}

function scores(asked: readonly Asked[], pages: string) {
  const present = asked.filter(({ question }) => question.answer !== undefined);
  const absent = asked.filter(({ question }) => question.answer === undefined);
  const exact = present.filter(({ question, answer }) => bare(answer) === question.answer);
  const quotes = asked.flatMap((each) => each.quotes).filter((quote) => !quote.includes(' = '));
  const true_ = quotes.filter((quote) => pages.includes(quote));
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    questions: asked.length,
    exactMatch: exact.length / present.length,
    uncited: present.filter((each) => each.quotes.length === 0).length,
    citationPrecision: true_.length / quotes.length,
    abstention: absent.filter(({ stopped }) => stopped === 'no_sources').length / absent.length,
    cycles: mean(asked.map(({ cycles }) => cycles)),
    calls: mean(asked.map(({ calls }) => calls)),
    missed: present
      .filter((each) => !exact.includes(each))
      .map(({ question, answer }) => [question.text, question.answer, answer]),
  };
}

describe('a perfect reader of local documents', () => {
  test(
    'answers questions of six kinds with true quotes, and says what it cannot find',
    { timeout: 240_000 },
    async () => {
      const agent = await openAgent({ chat: scriptedChat(perfectReader), documents: WORLD.pages });
      const found = scores(
        await askAll(agent, WORLD),
        WORLD.pages.flatMap(({ paragraphs }) => paragraphs).join('\n'),
      );
      console.log(JSON.stringify(found));
      expect(found.questions).toBeGreaterThanOrEqual(60);
      expect(found.exactMatch).toBeGreaterThanOrEqual(0.95);
      expect(found).toMatchObject({ citationPrecision: 1, abstention: 1, uncited: 0 });
      expect(agent.chat.tokensMax()).toBeLessThanOrEqual(8192);
    },
  );

  test('tells the same when it is asked the same', { timeout: 60_000 }, async () => {
    const [question] = WORLD.questions.filter(({ kind }) => kind === 'two-hop');
    const told = async () => {
      const { run } = await openAgent({ chat: scriptedChat(perfectReader), documents: WORLD.pages });
      return comparable((await run({ query: question?.text ?? '' })).events);
    };
    const [first, second] = [await told(), await told()];
    const local = (events: unknown[]) => JSON.stringify(events).replace(/file:\/\/[^"]*\//g, '');
    expect(local(second)).toBe(local(first));
  });
});
