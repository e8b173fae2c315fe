import { Type } from '../schema.ts';
import { endpoint } from '../endpoint.ts';
import { AccountName } from './accounts.ts';

export const beginOidcLogin = endpoint({
  method: 'POST',
  path: '/api/login/oidc',
  summary: 'Start signing in through the OpenID provider; for the login page only',
  tag: 'Sessions',
  access: 'public',
  body: Type.Object({ account: Type.Optional(AccountName) }, { additionalProperties: false }),
  response: Type.Object({ url: Type.String({ description: 'Where to send the browser.' }) }),
});

const Text = (maxLength: number) => Type.Optional(Type.String({ minLength: 1, maxLength }));

export const finishOidcLogin = endpoint({
  method: 'POST',
  path: '/api/login/oidc/finish',
  summary: "Exchange the provider's answer for a dashboard session, set as a cookie",
  tag: 'Sessions',
  access: 'public',
  body: Type.Object(
    {
      state: Type.String({ minLength: 1, maxLength: 200 }),
      code: Text(4_000),
      iss: Text(2_000),
      error: Text(200),
    },
    { additionalProperties: false },
  ),
  status: 201,
  response: Type.Object({ id: Type.String(), expires_at: Type.String({ format: 'date-time' }) }),
});
