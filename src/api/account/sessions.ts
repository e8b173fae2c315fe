import { Type, type Static } from '../schema.ts';
import { endpoint } from '../endpoint.ts';

const Timestamp = Type.String({ format: 'date-time' });
const Success = Type.Object({ success: Type.Literal(true) });

export const Session = Type.Object(
  {
    id: Type.String(),
    kind: Type.Enum(['browser', 'script']),
    user_agent: Type.Union([Type.String(), Type.Null()]),
    created_at: Timestamp,
    last_seen_at: Timestamp,
    expires_at: Timestamp,
    current: Type.Boolean({ description: 'Whether this is the session of this request.' }),
  },
  { $id: 'Session' },
);
export type Session = Static<typeof Session>;

export const createLoginCode = endpoint({
  method: 'POST',
  path: '/api/login-codes',
  summary: 'Create a login link for a browser; it works once, within a minute',
  tag: 'Sessions',
  access: 'owner',
  isAtomic: true,
  status: 201,
  response: Type.Object({ login_url: Type.String(), expires_at: Timestamp }),
});

export const login = endpoint({
  method: 'POST',
  path: '/api/login',
  summary: 'Exchange a login code for a dashboard session, set as a cookie',
  tag: 'Sessions',
  access: 'public',
  isAtomic: true,
  body: Type.Object({ code: Type.String({ minLength: 1, maxLength: 200 }) }, { additionalProperties: false }),
  status: 201,
  response: Type.Object({ id: Type.String(), expires_at: Timestamp }),
});

export const createSession = endpoint({
  method: 'POST',
  path: '/api/sessions',
  summary: 'Open a dashboard session for a script',
  tag: 'Sessions',
  access: 'owner',
  isAtomic: true,
  status: 201,
  response: Type.Object({
    id: Type.String(),
    cookie: Type.String({ description: 'The value of a Cookie header. It is shown only once.' }),
    expires_at: Timestamp,
  }),
});

export const PlaygroundKey = Type.Object(
  {
    id: Type.String({
      description:
        'The id under which usage is recorded: `playground`, or `playground_` and the id of the member.',
    }),
    scopes: Type.Array(Type.String()),
    created_at: Timestamp,
    expires_at: Timestamp,
    key: Type.String({ description: 'The full secret. It is shown only once.' }),
  },
  { $id: 'PlaygroundKey' },
);
export type PlaygroundKey = Static<typeof PlaygroundKey>;

export const createPlaygroundKey = endpoint({
  method: 'POST',
  path: '/api/sessions/current/key',
  summary: 'Create an API key for the playground; it expires after 15 minutes or with its session',
  tag: 'Sessions',
  access: 'session',
  isAtomic: true,
  status: 201,
  response: PlaygroundKey,
});

export const listSessions = endpoint({
  method: 'GET',
  path: '/api/sessions',
  summary: 'List dashboard sessions, newest first',
  tag: 'Sessions',
  access: 'management',
  response: Type.Object({ sessions: Type.Array(Session) }),
});

export const deleteSession = endpoint({
  method: 'DELETE',
  path: '/api/sessions/{id}',
  summary: 'End a dashboard session',
  tag: 'Sessions',
  access: 'management',
  isAtomic: true,
  response: Success,
});

export const deleteSessions = endpoint({
  method: 'DELETE',
  path: '/api/sessions',
  summary: 'End every dashboard session',
  tag: 'Sessions',
  access: 'management',
  isAtomic: true,
  response: Type.Object({ revoked: Type.Integer() }),
});
