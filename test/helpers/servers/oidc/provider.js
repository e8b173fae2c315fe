// A real OpenID provider, whose only user signs in and gives consent at once. It learns about its client when it is
// told the client's address.
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';

const [email, isVerified] = process.argv.slice(2);
let answer = (_request, response) => response.writeHead(503).end();
const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://x');
  if (pathname !== '/control/client') return void answer(request, response);
  answer = answersFor(searchParams.get('redirect'));
  response.end();
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${issuer()}\n`));

const issuer = () => `http://127.0.0.1:${server.address().port}`;

function answersFor(redirectUri) {
  const provider = new Provider(issuer(), {
    clients: [
      {
        client_id: 'askd',
        client_secret: 'secret-of-askd',
        redirect_uris: [redirectUri],
        application_type: 'native',
        grant_types: ['authorization_code'],
      },
    ],
    features: { devInteractions: { enabled: false } },
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    pkce: { required: () => true },
    cookies: { keys: ['of the test'] },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({ sub: id, email, email_verified: isVerified === 'verified' }),
    }),
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
  });
  const callback = provider.callback();
  return async (request, response) => {
    if (!request.url.startsWith('/interaction/')) return callback(request, response);
    const { prompt, params, session } = await provider.interactionDetails(request, response);
    const finish = (result) =>
      provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true });
    if (prompt.name === 'login') return finish({ login: { accountId: 'subject-1' } });
    const grant = new provider.Grant({ accountId: session.accountId, clientId: params.client_id });
    grant.addOIDCScope(params.scope);
    return finish({ consent: { grantId: await grant.save() } });
  };
}
