import { afterEach, describe, expect, test } from 'vitest';
import type { AgentResult } from '../../../../src/api/tasks/agent.ts';
import { perfectReader } from '../../../helpers/agent/reader.ts';
import type { Script } from '../../../helpers/agent/scripted-chat.ts';
import { eventsOf, TWO_HOP, withWorld, WORLD } from '../../../helpers/agent/world-daemon.ts';
import { busy, eventually } from '../../../helpers/daemon/chat.ts';
import { leastOf } from '../../../helpers/timing.ts';

const MINUTE = 60_000;
let release: () => void = () => undefined;
afterEach(() => release());

/** A model that answers nothing until the test is over. */
const silent: Script = ({ kind, ...call }) =>
  kind === 'queries'
    ? new Promise<string>((resolve) => (release = () => resolve('{}')))
    : perfectReader({ kind, ...call });

describe('the agent', () => {
  test(
    'answers a two-hop question from local documents with its sources, and every call is charged',
    { timeout: MINUTE },
    async () => {
      const { run, services, key } = await withWorld();
      const reply = await run();
      expect(reply.status).toBe(200);
      const result = reply.json<AgentResult>();
      expect(result).toMatchObject({
        mode: 'research',
        stopped: 'answered',
        session_id: expect.stringMatching(/^ses_/),
      });
      expect(result.answer).toContain(TWO_HOP.answer);
      expect(result.answer).toContain('[1]');
      expect(result.sources[0]).toMatchObject({
        kind: 'document',
        url: expect.stringMatching(/^file:.*\.md$/),
      });
      const pages = WORLD.pages.flatMap(({ paragraphs }) => paragraphs).join('\n');
      for (const { quote } of result.citations) expect(pages).toContain(quote);
      expect(result.steps[0]).toMatchObject({ type: 'step' });
      expect(JSON.stringify(result.steps)).toContain(
        'No web search is configured: using local documents only',
      );
      const usage = services.store
        .prepare<{ id: string; prompt_tokens: number; key_id: string }>('SELECT * FROM usage')
        .all();
      expect(usage).toHaveLength(result.usage.model_calls);
      expect(usage.reduce((sum, row) => sum + row.prompt_tokens, 0)).toBe(result.usage.prompt_tokens);
      expect(usage.every(({ id }) => id.startsWith(result.id))).toBe(true);
      expect(key).toMatch(/^ask_/);
    },
  );

  test(
    'streams one event per line, with one end and then [DONE], and later replays the same',
    { timeout: MINUTE },
    async () => {
      const { stream } = await withWorld();
      const reply = await stream({ query: TWO_HOP.text, maxCycles: '4', tokens: 'true' });
      expect(reply.headers['content-type']).toContain('text/event-stream');
      const { events, last } = eventsOf(reply.text);
      expect(last).toBe('[DONE]');
      expect(events.filter(({ type }) => type === 'done' || type === 'error')).toHaveLength(1);
      const done = events.at(-1);
      if (done?.type !== 'done') throw new Error('the run did not end well');
      expect(events.some(({ type }) => type === 'token')).toBe(true);
      expect(reply.headers['x-askd-run']).toBe(done.run);
      const again = eventsOf((await stream({ run: done.run })).text);
      expect(again.events).toEqual(events.filter(({ type }) => type !== 'token'));
      const rest = eventsOf(
        (await stream({ run: done.run }, { 'last-event-id': String(done.seq - 1) })).text,
      );
      expect(rest.events).toEqual([done]);
    },
  );

  test(
    'continues a conversation, one run at a time, and deletes it on request',
    { timeout: MINUTE },
    async () => {
      const { run, call, key } = await withWorld();
      const first = (await run({ mode: 'chat' })).json<AgentResult>();
      const second = (await run({ mode: 'chat', session_id: first.session_id })).json<AgentResult>();
      expect(second.session_id).toBe(first.session_id);
      const session = `/v1/agent/sessions/${first.session_id}`;
      expect((await call('GET', session, { token: key })).json<{ turns: unknown[] }>().turns).toHaveLength(2);
      expect((await call('DELETE', session, { token: key })).status).toBe(200);
      expect((await run({ session_id: first.session_id })).json()).toMatchObject({
        error: { code: 'not_found', param: 'sessionId' },
      });
    },
  );

  test.each([
    [{ maxCycles: 0 }, 400],
    [{ maxCycles: 9 }, 400],
    [{ max_cycles: 3, maxCycles: 3 }, 400],
    [{ mode: 'guess' }, 400],
    [{ query: '' }, 400],
    [{ model: 'nobody' }, 404],
    [{ sources: { docs: ['nowhere'] } }, 404],
    [{ max_cycle: 2 }, 400],
  ])('refuses %j with %i', { timeout: MINUTE }, async (body, status) => {
    const { run } = await withWorld();
    expect((await run(body)).status).toBe(status);
  });

  test(
    "hides the owner's documents from other accounts' keys on a hosted daemon",
    { timeout: MINUTE },
    async () => {
      const { call, run, services } = await withWorld(perfectReader, { ASKD_PROFILE: 'hosted' });
      const [{ name = '' } = {}] = services.docs.list();
      const named = await run({ sources: { docs: [name] } });
      expect(named).toMatchObject({ status: 404 });
      expect(named.text.replaceAll(name, 'nowhere')).toBe(
        (await run({ sources: { docs: ['nowhere'] } })).text.replaceAll(name, 'nowhere'),
      );
      const unnamed = (await run()).json<AgentResult>();
      expect(unnamed).toMatchObject({ stopped: 'no_sources', sources: [], citations: [] });
      expect(JSON.stringify(unnamed)).not.toContain(TWO_HOP.answer);
      const { key } = services.keys.create({
        ...{ accountId: 'acct_local', name: 'owner', scopes: ['chat', 'admin'], expiresAt: null },
      });
      const own = await call('POST', '/v1/agent/run', { token: key, body: { query: TWO_HOP.text } });
      expect(own.json<AgentResult>().answer).toContain(TWO_HOP.answer);
    },
  );

  test("hides them from members' keys, also on a personal daemon", { timeout: MINUTE }, async () => {
    const { call, services } = await withWorld();
    const [{ name = '' } = {}] = services.docs.list();
    const { id: memberId } = services.members.add('acct_local', { name: 'ada', role: 'member' });
    const given = { accountId: 'acct_local', name: 'ada', scopes: ['chat'], expiresAt: null, memberId };
    const { key: token } = services.keys.create(given);
    const body = { query: TWO_HOP.text, sources: { docs: [name] } };
    expect((await call('POST', '/v1/agent/run', { token, body })).status).toBe(404);
  });

  test('needs a key, and is closed to pages of other sites', { timeout: MINUTE }, async () => {
    const { call, stream } = await withWorld();
    expect((await call('GET', '/v1/agent/stream?query=x', { token: null })).status).toBe(401);
    const foreign = await stream({ query: 'x' }, { origin: 'https://evil.example' });
    expect([foreign.status, foreign.json()]).toMatchObject([403, { error: { code: 'origin_not_allowed' } }]);
  });

  test('stops when its client disconnects, and frees the model', { timeout: MINUTE }, async () => {
    const { baseURL, key, services } = await withWorld(silent);
    const runs = () => services.agent.list({ accountId: 'acct_local', keyId: null });
    const leave = async () => {
      const controller = new AbortController();
      const leaving = fetch(`${baseURL}/agent/stream?query=${encodeURIComponent(TWO_HOP.text)}`, {
        headers: { authorization: `Bearer ${key}` },
        signal: controller.signal,
      }).then((response) => response.text());
      leaving.catch(() => undefined);
      await eventually(() => busy({ services })).toBe(1);
      const left = performance.now();
      controller.abort();
      await expect.poll(() => busy({ services }), { timeout: 10_000, interval: 5 }).toBe(0);
      const tookMs = performance.now() - left;
      await eventually(() => runs()[0]?.status).toBe('cancelled');
      release();
      return tookMs;
    };
    expect(await leastOf(3, leave, { enough: 500 })).toBeLessThan(500);
    expect(new Set(runs().map(({ status }) => status))).toEqual(new Set(['cancelled']));
  });

  test('is stopped by the command line, while a watcher sees its end', { timeout: MINUTE }, async () => {
    const { stream, services, askd } = await withWorld(silent);
    const watched = stream({ query: TWO_HOP.text });
    await eventually(() => busy({ services })).toBe(1);
    const [run] = services.agent.list({ accountId: 'acct_local', keyId: null });
    const id = run?.id ?? '';
    expect(await askd('agent', 'cancel', id)).toMatchObject({ code: 0, stdout: `Stopped ${id}.\n` });
    expect(eventsOf((await watched).text).events.at(-1)).toMatchObject({
      type: 'done',
      stopped: 'cancelled',
    });
  });
});

describe('the command line', () => {
  test('asks, lists, shows and attaches', { timeout: MINUTE }, async () => {
    const { askd } = await withWorld();
    const asked = await askd('agent', TWO_HOP.text);
    expect(asked.code).toBe(0);
    expect(asked.stdout).toContain(`${TWO_HOP.answer}`);
    expect(asked.stdout).toMatch(/Sources:\n\[1\] .*\n {4}\S+\.md:\d+\n {4}"/);
    expect(asked.stderr).toContain('docs:');
    const { runs } = JSON.parse((await askd('agent', 'list', '--json')).stdout) as { runs: { id: string }[] };
    const id = runs[0]?.id ?? '';
    expect((await askd('agent', 'show', id)).stdout).toContain(TWO_HOP.text);
    const lines = (await askd('agent', 'attach', id, '--jsonl')).stdout.trim().split('\n');
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ type: 'done', run: id });
    const found = await askd('docs', 'search', 'crosses the river', '--limit', '2', '--json');
    expect((JSON.parse(found.stdout) as { passages: unknown[] }).passages).toHaveLength(2);
    expect((await askd('docs', 'list')).stdout).toContain('bridges');
    expect((await askd('docs', 'rm', 'bridges')).code).toBe(0);
    const nothing = await askd('agent', TWO_HOP.text, '--json');
    expect(nothing.code).toBe(8);
    expect(JSON.parse(nothing.stdout)).toMatchObject({
      schema: 'agent/1',
      stopped: 'no_sources',
      sources: [],
    });
  });
});
