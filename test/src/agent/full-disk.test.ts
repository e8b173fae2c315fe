import { expect, test } from 'vitest';
import { withFullDisk } from '../../helpers/full-disk.ts';
import { CALLER, openAgent } from '../../helpers/agent/open-agent.ts';
import { perfectReader } from '../../helpers/agent/reader.ts';
import { scriptedChat, type Script } from '../../helpers/agent/scripted-chat.ts';
import { createWorld } from '../../helpers/agent/world.ts';

const WORLD = createWorld(3);
const question = WORLD.questions.find(({ kind }) => kind === 'one-hop') ?? { text: '', answer: '' };
const TIMEOUT = { timeout: 60_000 };

/** An agent whose disk fills up when its model is called. */
async function fullAt(wanted: string) {
  let disk: ReturnType<typeof withFullDisk> | undefined;
  const script: Script = (call) => {
    if (call.kind === wanted) disk?.fill();
    return perfectReader(call);
  };
  const agent = await openAgent({
    chat: scriptedChat(script),
    documents: WORLD.pages,
    over: (store) => (disk = withFullDisk(store)).store,
  });
  const task = {
    query: question.text,
    mode: 'research' as const,
    maxCycles: 5,
    model: 'm',
    sources: {},
    budget: {},
    seesCollections: true,
  };
  const begin = (session?: string) => agent.agent.start(task, CALLER, session);
  const started = begin();
  const events = [];
  for await (const event of started.follow()) events.push(event);
  const ended = await started.ended.catch((error: unknown) => error);
  const again = () => begin(started.sessionId);
  return { ...agent, again, started, events, ended, empty: () => disk?.empty() };
}

test(
  'a run that cannot save its answer gives it all the same, and the row is written later',
  TIMEOUT,
  async () => {
    const { agent, deferred, started, events, ended, empty } = await fullAt('answer');
    expect(ended).toMatchObject({ status: 'finished', stopped: 'answered' });
    expect((ended as { answer: string }).answer).toContain(question.answer);
    expect(events.at(-1)).toMatchObject({ type: 'done', stopped: 'answered' });
    expect(agent.find(started.id, CALLER)).toMatchObject({ status: 'running' });
    empty();
    deferred.retry();
    expect(agent.find(started.id, CALLER)).toMatchObject({
      ...(ended as object),
      ended_at: expect.any(String) as string,
    });
    const replayed = [];
    for await (const event of agent.follow(started.id, CALLER)) replayed.push(event);
    expect(replayed).toEqual(events);
  },
);

test(
  'a run that ends on a full disk reports its failure, and its session continues when there is room',
  TIMEOUT,
  async () => {
    const { agent, again, started, events, ended, empty } = await fullAt('queries');
    expect(ended).toMatchObject({ code: 'disk_full' });
    expect(events.at(-1)).toMatchObject({ type: 'error', code: 'disk_full' });
    expect(again).toThrow(expect.objectContaining({ code: 'session_busy' }) as Error);
    empty();
    const next = again();
    expect(agent.find(started.id, CALLER)).toMatchObject({ status: 'failed' });
    await next.ended.catch(() => undefined);
  },
);
