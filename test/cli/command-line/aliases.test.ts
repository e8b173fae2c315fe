import { expect, test } from 'vitest';
import { answer, chatBodies, chatServer } from '../../helpers/servers/chat-server.ts';
import { announce, runCli } from '../../helpers/terminal/cli.ts';
import { startDaemon } from '../../helpers/daemon/daemon.ts';
import { sendJson } from '../../helpers/servers/scripted-server.ts';
import { scriptedServer } from '../../helpers/servers/scripted-server.ts';

/** A server that has the model and records its requests. */
function modelServer() {
  const reply = answer('ok');
  return scriptedServer((request, response) => {
    if (request.path.endsWith('/load')) return sendJson(response, 200, {});
    if (request.path.startsWith('/v1/models/'))
      return sendJson(response, 200, { id: 'm', local: { state: 'ready' } });
    return reply(request, response);
  });
}

test('run takes a prompt, a file, --verbose, --keepalive and --format as users of other programs expect', async () => {
  const server = await modelServer();
  const run = (args: string[], input = '') => runCli(['run', 'm', ...args, '--host', server.url], { input });
  expect((await run(['Say', 'hello'])).stdout).toBe('ok\n');
  expect((await run([], 'from a file')).stdout).toBe('ok\n');
  expect((await run(['hi', '--verbose'])).stderr).toContain('3 tokens in');
  expect((await run(['hi', '--format', 'json', '--think', 'high'])).code).toBe(0);
  expect((await run(['hi', '--keepalive', '1h'])).code).toBe(0);
  expect(server.seen.find(({ path }) => path.endsWith('/load'))?.body).toEqual({
    model: 'm',
    keep_alive: '1h',
  });
  const bodies = chatBodies(server.seen).filter((body) => 'messages' in body);
  expect(bodies.slice(0, 2).map(({ messages }) => messages)).toEqual([
    [{ role: 'user', content: 'Say hello' }],
    [{ role: 'user', content: 'from a file' }],
  ]);
  expect(bodies[3]).toMatchObject({ response_format: { type: 'json_object' }, reasoning_effort: 'high' });
  expect(await run(['hi', '--keepalive', 'long'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('1h') as string,
  });
});

test.each([
  ['create mine -f Modelfile', 'askd import FILE --id NAME'],
  ['push mine', 'askd does not publish models'],
  ['signin', 'HF_TOKEN'],
  ['run m --nowordwrap', 'askd run MODEL --plain'],
  ['run m --hidethinking', '--quiet'],
  ['show m --modelfile', 'askd show MODEL'],
  ['show m --template', '--show-prompt'],
])("askd %s is refused, and askd's own command is named", async (args, fix) => {
  const { code, stdout, stderr } = await runCli(args.split(' '));
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^error: There is no askd /);
  expect(stderr).toContain(fix);
});

test('a prompt may contain words that are commands in other programs', async () => {
  const server = await chatServer(answer('ok'));
  expect((await runCli(['chat', 'create', 'push', '--host', server.url])).code).toBe(0);
});

test.each([['-v'], ['list'], ['ls'], ['ps'], ['show svc-chat-v1'], ['info svc-chat-v1']])(
  'askd %s works',
  async (args) => {
    const daemon = await startDaemon();
    announce(daemon);
    expect((await runCli(args.split(' '), { home: daemon.home })).code).toBe(0);
  },
);
