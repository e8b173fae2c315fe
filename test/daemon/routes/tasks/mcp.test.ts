import type { Progress } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { perfectReader } from '../../../helpers/agent/reader.ts';
import { TWO_HOP, withWorld } from '../../../helpers/agent/world-daemon.ts';
import { busy, daemonWith, eventually } from '../../../helpers/daemon/chat.ts';
import { openEveryService } from '../../../helpers/daemon/every-service.ts';
import { httpClient, REVISIONS, textOf } from '../../../helpers/servers/mcp/clients.ts';
import { endlessModel, scriptedModel } from '../../../helpers/models/models.ts';
import { spoken, wavOf } from '../../../helpers/models/sounds.ts';

const MINUTE = 60_000;
const OF_EVERY_KEY = [
  ...['chat', 'research', 'embed', 'rerank', 'moderate', 'translate', 'transcribe', 'speak', 'image'],
];

describe('askd as an MCP server over HTTP', () => {
  test.each(REVISIONS)(
    'does each task for a client that negotiates as %s',
    { timeout: 2 * MINUTE },
    async (mode) => {
      const daemon = await openEveryService();
      const client = await httpClient(daemon, { mode });
      const call = (name: string, input: Record<string, unknown>) =>
        client.callTool({ name, arguments: input });

      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(OF_EVERY_KEY);

      const chat = await call('chat', { prompt: 'Say hello.', model: 'translator', max_tokens: 20 });
      expect(chat).toMatchObject({
        content: [{ type: 'text', text: 'Bonjour le monde.' }],
        structuredContent: {
          model: 'translator',
          finish_reason: 'stop',
          usage: { completion_tokens: expect.any(Number) },
        },
      });
      const embedded = await call('embed', { texts: ['a cat', 'a dog'] });
      expect(embedded.structuredContent).toMatchObject({
        model: 'svc-embed-v1',
        embeddings: [expect.any(Array), expect.any(Array)],
      });
      const ranked = await call('rerank', {
        query: 'cats',
        documents: ['About trains.', 'Cats are animals.'],
      });
      expect(textOf(ranked)).toMatch(/^[01]\.\d{3} \[\d\] .+\n/);
      expect(textOf(await call('moderate', { texts: ['What a nice day.'] }))).toMatch(/^\[0\] /);
      expect(textOf(await call('translate', { text: 'Hello.', target_language: 'fr' }))).toContain('Bonjour');

      const audio = Buffer.from(wavOf(spoken('hello'))).toString('base64');
      expect(await call('transcribe', { audio })).toMatchObject({ content: [{ type: 'text' }] });
      const verbose = await call('transcribe', { audio, response_format: 'verbose_json' });
      expect(verbose.structuredContent).toMatchObject({
        duration: expect.any(Number),
        text: expect.any(String),
      });
      expect(await call('speak', { input: 'Hello.', response_format: 'wav' })).toMatchObject({
        content: [{ type: 'audio', mimeType: 'audio/wav', data: expect.stringMatching(/^UklGR/) }],
      });
      const steps: Progress[] = [];
      const image = await client.callTool(
        { name: 'image', arguments: { prompt: 'a fox', size: '256x256', steps: 2, seed: 5 } },
        { onprogress: (progress) => steps.push(progress) },
      );
      expect(image).toMatchObject({
        content: [{ type: 'image', mimeType: 'image/png' }, { type: 'text' }],
        structuredContent: { seed: 5, size: '256x256' },
      });
      expect(steps.map(({ progress, total }) => [progress, total])).toContainEqual([2, 2]);

      const used = daemon.services.store
        .prepare<{ count: number }>('SELECT count(*) AS count FROM usage')
        .get();
      expect(used?.count).toBe(9);
    },
  );

  test(
    'offers the local documents to keys that may read them, and quotes them',
    { timeout: MINUTE },
    async () => {
      const daemon = await withWorld();
      const { key: token } = daemon.services.keys.create({
        accountId: 'acct_local',
        name: 'all',
        scopes: ['admin'],
        expiresAt: null,
      });
      const client = await httpClient(daemon, { token });
      expect((await client.listTools()).tools.map(({ name }) => name)).toContain('search_documents');
      const found = await client.callTool({
        name: 'search_documents',
        arguments: { query: TWO_HOP.answer, limit: 2 },
      });
      expect(textOf(found)).toMatch(/^\[1\] .+\.md \(.+\)\n> /);

      const other = await httpClient(daemon);
      expect((await other.listTools()).tools.map(({ name }) => name)).toEqual(OF_EVERY_KEY);
      const refused = await other.callTool({ name: 'search_documents', arguments: { query: 'x' } });
      expect(refused).toMatchObject({ isError: true, structuredContent: { code: 'insufficient_scope' } });
      expect(textOf(refused)).toContain('askd keys create');
    },
  );

  test('research reports its steps and answers with quotes', { timeout: MINUTE }, async () => {
    const daemon = await withWorld();
    const client = await httpClient(daemon);
    const steps: string[] = [];
    const result = await client.callTool(
      { name: 'research', arguments: { query: TWO_HOP.text } },
      { onprogress: ({ message }) => steps.push(message ?? '') },
    );
    expect(textOf(result)).toContain(TWO_HOP.answer);
    expect(textOf(result)).toContain('Sources:\n[1] ');
    expect(steps.length).toBeGreaterThan(1);
  });

  test.each(REVISIONS)(
    'a cancelled call ends its run, for a client that negotiates as %s',
    { timeout: MINUTE },
    async (mode) => {
      let release: () => void = () => undefined;
      const daemon = await withWorld(({ kind, ...rest }) =>
        kind === 'queries'
          ? new Promise((resolve) => (release = () => resolve('{}')))
          : perfectReader({ kind, ...rest }),
      );
      const client = await httpClient(daemon, { mode });
      const cancel = new AbortController();
      const running = client.callTool(
        { name: 'research', arguments: { query: TWO_HOP.text } },
        { signal: cancel.signal, onprogress: () => cancel.abort('enough') },
      );
      await expect(running).rejects.toThrow();
      const runs = async () =>
        (await daemon.call('GET', '/v1/agent/runs', { token: daemon.key })).json<{
          data: { status: string }[];
        }>().data;
      await expect.poll(runs, { timeout: 30_000 }).toMatchObject([{ status: 'cancelled' }]);
      release();
    },
  );

  test(
    'a client that leaves in the middle of an answer is charged for what it received',
    { timeout: MINUTE },
    async () => {
      const daemon = await daemonWith({ m: await endlessModel() });
      const client = await httpClient(daemon);
      const left = client.callTool(
        { name: 'chat', arguments: { prompt: 'Go on.', model: 'm', max_tokens: 100_000 } },
        { onprogress: () => void client.close() },
      );
      await expect(left).rejects.toThrow();
      await eventually(() => busy(daemon)).toBe(0);
      const rows = () =>
        daemon.services.store.prepare<{ completion_tokens: number }>('SELECT * FROM usage').all();
      await eventually(() => rows().length).toBe(1);
      expect(rows()[0]?.completion_tokens).toBeGreaterThan(0);
    },
  );

  test('an error is a result that says how to fix it', { timeout: MINUTE }, async () => {
    const daemon = await daemonWith({ m: await scriptedModel('Yes.') }, { ASKD_STARTER: 'off' });
    const client = await httpClient(daemon);
    const call = (name: string, input: Record<string, unknown>) =>
      client.callTool({ name, arguments: input });
    expect(textOf(await call('chat', { prompt: 'Hi', model: 'nothing' }))).toContain('nothing');
    expect(await call('chat', { model: 'm' })).toMatchObject({ isError: true });
    expect(textOf(await call('chat', { prompt: 'Hi', loud: true }))).toContain(
      '"loud" is not an argument of chat. It takes prompt',
    );
    expect(textOf(await call('transcribe', { audio: 'not base64!' }))).toContain('in base64');
    expect(textOf(await call('transcribe', { path: '/etc/passwd' }))).toContain('"path" is not an argument');
    expect(textOf(await call('dance', {}))).toContain('There are chat, research');
  });

  test(
    'a call beyond the limits of its key says so, and the others continue',
    { timeout: MINUTE },
    async () => {
      const daemon = await daemonWith({ m: await scriptedModel('Yes.') });
      const made = await daemon.call('POST', '/api/keys', {
        body: { name: 'poor', scopes: ['chat'], rpm: 1 },
      });
      const { key: token } = made.json<{ key: string }>();
      const client = await httpClient(daemon, { token });
      const ask = () => client.callTool({ name: 'chat', arguments: { prompt: 'Hi', model: 'm' } });
      expect(textOf(await ask())).toBe('Yes.');
      const refused = await ask();
      expect(refused).toMatchObject({ isError: true, structuredContent: { code: 'rate_limit_exceeded' } });
      expect(textOf(refused)).toContain('Try again in');
      expect((await client.listTools()).tools).not.toHaveLength(0);
    },
  );

  test('a session belongs to the key that opened it, and an unknown one is answered so that clients reopen', async () => {
    const daemon = await daemonWith({});
    const headers = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' };
    const hello = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    };
    const opened = await daemon.call('POST', '/mcp', { token: daemon.key, headers, body: hello });
    expect(opened.text).toContain('"serverInfo"');
    const session = { ...headers, 'mcp-session-id': String(opened.headers['mcp-session-id']) };
    const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
    const ask = (token: string) => daemon.call('POST', '/mcp', { token, headers: session, body: list });
    expect((await ask(daemon.key)).text).toContain('"chat"');
    expect((await ask(daemon.services.rootToken.current())).status).toBe(404);
    expect((await daemon.call('DELETE', '/mcp', { token: daemon.key, headers: session })).status).toBe(200);
    expect((await ask(daemon.key)).status).toBe(404);
    const alone = await daemon.call('POST', '/mcp', { token: daemon.key, headers, body: list });
    expect(alone.text).toContain('"chat"');
  });

  test('needs a key', async () => {
    const daemon = await daemonWith({});
    const body = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
    expect((await daemon.call('POST', '/mcp', { token: null, body })).status).toBe(401);
    expect((await daemon.call('GET', '/mcp', { token: daemon.key })).status).toBe(405);
  });
});
