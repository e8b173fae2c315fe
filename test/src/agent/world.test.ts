import { describe, expect, test } from 'vitest';
import { comparable } from '../../helpers/agent/event-grammar.ts';
import { examine, type Exam } from '../../helpers/agent/exam.ts';
import { openAgent, type TestAgent } from '../../helpers/agent/open-agent.ts';
import { perfectReader } from '../../helpers/agent/reader.ts';
import { scriptedChat } from '../../helpers/agent/scripted-chat.ts';
import { loopbackSearxng } from '../../helpers/agent/searxng.ts';
import { canary, faultySite, GOOD_MANNERS, QUICK_FAULTS } from '../../helpers/agent/site.ts';
import { createWorld } from '../../helpers/agent/world.ts';

const WORLD = createWorld(7);
const TIMEOUT = { timeout: 240_000 };

const openDocuments = () => openAgent({ chat: scriptedChat(perfectReader), documents: WORLD.pages });

async function openWeb() {
  const trap = await canary();
  const site = await faultySite(WORLD.pages, { trap: trap.url });
  const searxng = await loopbackSearxng(WORLD.pages, { site });
  const ownPort = Number(new URL(trap.url).port);
  const agent = await openAgent({ chat: scriptedChat(perfectReader), searxng: searxng.url, site, ownPort });
  return { ...agent, site, searxng, trap };
}

/** The scripted reader misreads nothing, so a wrong answer is the loop's fault. */
async function expectNothingLost(agent: TestAgent, prepare?: Exam['prepare']): Promise<void> {
  const found = await examine(agent, { ...WORLD, ...(prepare && { prepare }) });
  console.log(JSON.stringify(found));
  expect(found).toMatchObject({ kinds: 7, citationPrecision: 1, abstention: 1, uncited: 0, oneSided: 0 });
  expect(found.questions).toBeGreaterThanOrEqual(60);
  expect(found.exactMatch).toBeGreaterThanOrEqual(0.95);
  expect(agent.chat.tokensMax()).toBeLessThanOrEqual(8192);
}

describe('a perfect reader answers questions of seven kinds with true quotes, and says what it cannot find', () => {
  test('in local documents', TIMEOUT, async () => {
    await expectNothingLost(await openDocuments());
  });

  test('on the web', TIMEOUT, async () => {
    await expectNothingLost(await openWeb());
  });

  test('on a hostile web', TIMEOUT, async () => {
    const agent = await openWeb();
    const { state } = agent.searxng;
    state.fault = 'duplicates';
    state.mannerOf = (path) => GOOD_MANNERS[path.length % GOOD_MANNERS.length] ?? '';
    await expectNothingLost(agent, (index) => {
      const fault = QUICK_FAULTS[index % QUICK_FAULTS.length] ?? '';
      state.lead = [{ path: fault.slice(1), title: 'The best page of all' }];
    });
    expect(agent.trap.hits()).toBe(0);
  });
});

describe('the same question', () => {
  const [question] = WORLD.questions.filter(({ kind }) => kind === 'two-hop');
  test.each([
    ['local documents', openDocuments],
    ['the web', openWeb],
  ])('is answered by the same events: %s', { timeout: 60_000 }, async (_where, open) => {
    const report = async (): Promise<string> => {
      const { run } = await open();
      const { events } = await run({ query: question?.text ?? '' });
      return JSON.stringify(comparable(events)).replace(/file:\/\/[^"]*\/|127\.0\.0\.1:\d+/g, '');
    };
    const first = await report();
    expect(await report()).toBe(first);
  });
});
