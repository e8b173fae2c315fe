import { afterEach, describe, expect, test } from 'vitest';
import type { AgentEvent, AgentRun } from '../../../../src/api/tasks/agent.ts';
import { perfectReader } from '../../../helpers/agent/reader.ts';
import type { Script } from '../../../helpers/agent/scripted-chat.ts';
import { eventsOf, TWO_HOP, withWorld, WORLD } from '../../../helpers/agent/world-daemon.ts';
import { eventually } from '../../../helpers/daemon/chat.ts';

const MINUTE = { timeout: 60_000 };
const ASKED = { query: TWO_HOP.text, maxCycles: '5' };
let release: () => void = () => undefined;
afterEach(() => release());

/** Reads, then waits before its answer until the test lets it continue. */
function haltingReader(): Script {
  const gate = new Promise<void>((resolve) => (release = resolve));
  return async (call) => {
    if (call.kind === 'answer') await gate;
    return perfectReader(call);
  };
}

const factsOf = (events: readonly AgentEvent[]) =>
  events.flatMap((event) => (event.type === 'fact' ? [event] : []));
const isNumbered = ({ type }: AgentEvent) => type !== 'fact' && type !== 'token';
const foundIn = (events: readonly AgentEvent[]) =>
  events.flatMap((event) => (event.type === 'tool' ? (event.found ?? []) : []));

describe('a client that asks for facts', () => {
  test('gets each with its quote in its passage, after the search that found it', MINUTE, async () => {
    const { stream } = await withWorld();
    const { events } = eventsOf((await stream({ ...ASKED, facts: 'true' })).text);
    const facts = factsOf(events);
    expect(facts.map(({ index }) => index)).toEqual(facts.map((_, index) => index));
    expect(facts.length).toBeGreaterThanOrEqual(2);
    const pages = WORLD.pages.flatMap(({ paragraphs }) => paragraphs).join('\n');
    for (const { quote, passage, source } of facts) {
      expect(pages).toContain(quote);
      expect(passage).toContain(quote);
      expect(source).toMatchObject({ kind: 'document', url: expect.stringMatching(/^file:.*\.md$/) });
    }
    const first = events.findIndex(({ type }) => type === 'fact');
    expect(events[first - 1]).toMatchObject({ type: 'tool', status: 'ok' });
    const done = events.at(-1);
    if (done?.type !== 'done') throw new Error('the run did not end well');
    for (const { quote, url } of done.citations)
      expect(facts).toContainEqual(
        expect.objectContaining({ quote, source: expect.objectContaining({ url }) }),
      );
    const found = foundIn(events);
    expect(found).toContainEqual({ url: facts[0]?.source.url, title: facts[0]?.source.title });
  });

  test('gets the same again from a finished run', MINUTE, async () => {
    const { stream } = await withWorld();
    const { events } = eventsOf((await stream({ ...ASKED, facts: 'true' })).text);
    const done = events.at(-1);
    const run = done?.type === 'done' ? done.run : '';
    expect(eventsOf((await stream({ run, facts: 'true' })).text).events).toEqual(events);
    // Those that followed the last numbered event come again.
    const at = events.findLastIndex(
      (event, index) => events[index + 1]?.type === 'fact' && isNumbered(event),
    );
    const seen = events[at];
    const after = { 'last-event-id': String(seen && 'seq' in seen ? seen.seq : 0) };
    expect(eventsOf((await stream({ run, facts: 'true' }, after)).text).events).toEqual(events.slice(at + 1));
  });
});

test('a client that does not ask for facts sees none, in streams and in runs', MINUTE, async () => {
  const { stream, run, call, key } = await withWorld();
  const { events } = eventsOf((await stream(ASKED)).text);
  expect(events.filter((event) => event.type === 'fact')).toEqual([]);
  expect(foundIn(events)).toEqual([]);
  const whole = (await run({ facts: true })).json<{ id: string; steps: AgentEvent[] }>();
  const kept = (await call('GET', `/v1/agent/runs/${whole.id}`, { token: key })).json<typeof whole>();
  expect([foundIn(whole.steps), foundIn(kept.steps)]).toEqual([[], []]);
});

test(
  'a run in the background outlives its client, and can be joined with what it found so far',
  MINUTE,
  async () => {
    const { baseURL, key, services, stream } = await withWorld(haltingReader());
    const controller = new AbortController();
    const response = await fetch(`${baseURL}/agent/run`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: TWO_HOP.text, stream: true, background: true }),
      signal: controller.signal,
    });
    const run = response.headers.get('x-askd-run') ?? '';
    const kept = () => services.store.prepare('SELECT 1 FROM agent_facts WHERE run_id = ?').all(run).length;
    await eventually(() => kept() >= 2).toBe(true);
    controller.abort();
    await response.text().catch(() => undefined);
    const joined = stream({ run, facts: 'true', tokens: 'true' });
    expect(services.agent.activity().running).toEqual([run]);
    release();
    const { events } = eventsOf((await joined).text);
    expect(events.at(-1)).toMatchObject({ type: 'done', run, stopped: 'answered' });
    expect(factsOf(events).length).toBe(kept());
  },
);

test('a run says what its requests cost', MINUTE, async () => {
  const { run, call, key, services } = await withWorld();
  const { id } = (await run()).json<{ id: string }>();
  services.store.prepare(`UPDATE usage SET cost_n = 1000000000`).run();
  const calls = services.store.prepare('SELECT 1 FROM usage').all().length;
  const { data } = (await call('GET', '/v1/agent/runs', { token: key })).json<{ data: AgentRun[] }>();
  const shown = (await call('GET', `/v1/agent/runs/${id}`, { token: key })).json<AgentRun>();
  expect([data[0]?.credits, shown.credits]).toEqual([calls, calls]);
});
