// An MCP server that wants a login, and its authorization server: oidc-provider, whose users give consent at once.
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';

const listen = (handler) =>
  new Promise((resolve) => {
    const server = createServer((request, response) => void handler(request, response));
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${server.address().port}`));
  });
const words = process.argv.slice(2);
const optionOf = (name) => words.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1);

let answerLogin;
const issuer = await listen((request, response) => answerLogin(request, response));
const origin = await listen(answerMcp);
const resource = `${origin}/mcp`;
const tokens = new Set();
const grants = [];
/** Set while a refusal waits for the next request that is admitted. */
let refusals;

const provider = new Provider(issuer, {
  clients: [
    {
      client_id: 'by-hand',
      client_secret: 'secret-of-by-hand',
      redirect_uris: [optionOf('redirect') ?? 'http://127.0.0.1:1/callback'],
      application_type: 'native',
      grant_types: ['authorization_code', 'refresh_token'],
    },
  ],
  clientDefaults: { token_endpoint_auth_method: 'client_secret_basic' },
  clientAuthMethods: ['none', 'client_secret_basic'],
  scopes: ['openid', 'offline_access', 'tools', 'admin'],
  features: {
    devInteractions: { enabled: false },
    registration: { enabled: !words.includes('no-registration') },
    revocation: { enabled: true, allowedPolicy: () => true },
    resourceIndicators: {
      enabled: true,
      useGrantedResource: () => true,
      getResourceServerInfo: (_context, indicator) => ({
        scope: 'tools admin',
        audience: indicator,
        accessTokenFormat: 'opaque',
      }),
    },
  },
  pkce: { required: () => true },
  rotateRefreshToken: true,
  ttl: { AccessToken: 600 },
  cookies: { keys: ['of the test'] },
  findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
  interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
});
for (const kind of ['access_token', 'refresh_token']) {
  provider.on(`${kind}.saved`, (token) => tokens.add({ kind, jti: token.jti }));
}
provider.on('grant.success', ({ oidc }) => grants.push(oidc.params.grant_type));
provider.on('grant.revoked', () => grants.push('revoked'));

const callback = provider.callback();
answerLogin = async (request, response) => {
  if (!request.url.startsWith('/interaction/')) return callback(request, response);
  const { prompt, params, session } = await provider.interactionDetails(request, response);
  if (prompt.name === 'login')
    return provider.interactionFinished(request, response, { login: { accountId: 'owner' } });
  if (words.includes('denies'))
    return provider.interactionFinished(request, response, { error: 'access_denied' });
  const grant = new provider.Grant({ accountId: session.accountId, clientId: params.client_id });
  grant.addOIDCScope((prompt.details.missingOIDCScope ?? []).join(' '));
  for (const [indicator, scopes] of Object.entries(prompt.details.missingResourceScopes ?? {})) {
    grant.addResourceScope(indicator, scopes.join(' '));
  }
  const grantId = await grant.save();
  return provider.interactionFinished(
    request,
    response,
    { consent: { grantId } },
    { mergeWithLastSubmission: true },
  );
};

async function answerMcp(request, response) {
  const json = (status, body, headers = {}) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  if (request.url === '/.well-known/oauth-protected-resource/mcp')
    return json(200, { resource, authorization_servers: [issuer], scopes_supported: ['tools'] });
  if (request.url.startsWith('/control/')) return json(200, await control(request.url.slice(9)));
  let text = '';
  for await (const part of request) text += part;
  const about = `resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`;
  const token = await provider.AccessToken.find((request.headers.authorization ?? '').replace('Bearer ', ''));
  if (token === undefined || token.aud !== resource) {
    await refusals?.next();
    return json(401, {}, { 'www-authenticate': `Bearer ${about}` });
  }
  refusals?.release();
  if (request.method !== 'POST') return json(405, {});
  const { id, method, params = {} } = JSON.parse(text);
  if (id === undefined) return json(202, {});
  if (params.name === 'delete' && !token.scope.includes('admin'))
    return json(
      403,
      {},
      { 'www-authenticate': `Bearer error="insufficient_scope", scope="admin", ${about}` },
    );
  return json(200, { jsonrpc: '2.0', id, result: resultOf(method, params) });
}

function resultOf(method, params) {
  const inputSchema = { type: 'object', properties: { text: { type: 'string' } } };
  if (method === 'initialize')
    return {
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'guarded', version: '1' },
    };
  if (method === 'tools/list')
    return {
      tools: [
        { name: 'echo', description: 'Says it back.', inputSchema, annotations: { readOnlyHint: true } },
        { name: 'delete', description: 'Deletes all.', inputSchema, annotations: { readOnlyHint: true } },
      ],
    };
  return { content: [{ type: 'text', text: params.arguments?.text ?? '' }] };
}

/** The first refusal is sent at once, each later one when a request has been admitted. */
function holdLaterRefusals() {
  let release;
  const released = new Promise((resolve) => (release = resolve));
  let sent = 0;
  return { release, next: () => (sent++ === 0 ? undefined : released) };
}

/** What a test does to the server behind its client's back. */
async function control(act) {
  if (act === 'refuse-late') refusals = holdLaterRefusals();
  if (act === 'tokens') return [...tokens].map(({ jti }) => jti);
  const models = { access_token: provider.AccessToken, refresh_token: provider.RefreshToken };
  for (const { kind, jti } of act.startsWith('end-') ? tokens : []) {
    if (act === 'end-access' && kind !== 'access_token') continue;
    await (await models[kind].find(jti))?.destroy();
  }
  return grants;
}

process.stdout.write(`${JSON.stringify({ issuer, url: resource })}\n`);
