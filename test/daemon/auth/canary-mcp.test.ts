import { expect, test } from 'vitest';
import { createCanaries } from '../../helpers/accounts/canaries.ts';
import { startDaemon } from '../../helpers/daemon/daemon.ts';
import { browseTo, guardedServer } from '../../helpers/servers/mcp/guarded.ts';

const BACK = 'http://127.0.0.1:9/callback';
const TRACKER = '/api/daemon/mcp/tracker';
const CALL = { tool: 'echo', arguments: { text: 'hello' } };

test('the tokens of an MCP server and its client secret appear nowhere, however they are obtained or lost', async () => {
  const canaries = createCanaries();
  const server = await guardedServer(`redirect=${BACK}`);
  const daemon = await startDaemon({ ASKD_LOG_LEVEL: 'trace' });
  const secret = canaries.knows('the secret of a program', 'secret-of-by-hand');
  const ask = async (status: number, method: string, path: string, body?: object) => {
    const reply = await daemon.call(method, path, body && { body });
    expect([method, path, reply.status, reply.text]).toEqual([method, path, status, reply.text]);
    canaries.sawReply(`${method} ${path}`, reply);
    return reply;
  };

  await ask(201, 'POST', '/api/daemon/mcp', { name: 'tracker', url: server.url });
  const wanted = { redirect_uri: BACK, client_id: 'by-hand', client_secret: secret };
  await ask(400, 'POST', `${TRACKER}/login`, { ...wanted, redirect_uri: secret });
  await ask(400, 'POST', `${TRACKER}/login`, { ...wanted, client_secret: [secret] });
  const begun = await ask(200, 'POST', `${TRACKER}/login`, wanted);
  const { searchParams } = await browseTo(
    begun.json<{ authorization_url: string }>().authorization_url,
    BACK,
  );
  const answer = Object.fromEntries(searchParams);
  const code = canaries.knows('the code of a login', answer['code'] ?? '');
  await ask(502, 'POST', `${TRACKER}/login/finish`, { ...answer, state: code });
  await ask(200, 'POST', `${TRACKER}/login/finish`, answer);
  await ask(502, 'POST', `${TRACKER}/login/finish`, answer);
  await ask(200, 'POST', `${TRACKER}/call`, CALL);
  await server.endAccess();
  await ask(200, 'POST', `${TRACKER}/call`, CALL);
  await ask(200, 'POST', `${TRACKER}/test`);
  await ask(200, 'GET', TRACKER);
  await ask(200, 'GET', '/api/daemon/mcp');
  await server.endAll();
  await ask(403, 'POST', `${TRACKER}/call`, CALL);
  await ask(200, 'DELETE', `${TRACKER}/login`);

  const tokens = await server.tokens();
  expect(tokens.length).toBeGreaterThan(3);
  tokens.forEach((token, index) => canaries.knows(`token ${index}`, token));
  canaries.sawFolder(daemon.home, { but: /^root-token$/ });
  expect(canaries.places()).toEqual(
    expect.arrayContaining(['the file askd.db-wal', 'the file logs/askd.log']),
  );
  expect(canaries.leaks()).toEqual([]);
});
