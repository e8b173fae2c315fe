import { endpoint } from '../endpoint.ts';
import { Type, type Static } from '../schema.ts';

const Milliseconds = Type.Integer({ minimum: 0, maximum: 600_000 });
const Pieces = Type.Integer({ minimum: 0, maximum: 1_000_000 });

const TROUBLE = {
  error: Type.Optional(
    Type.String({
      description: 'An error code of the API, or overload, expired-key, revoked-key or empty-wallet.',
    }),
  ),
  retry_after: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 86_400, description: 'In seconds; needs an error.' }),
  ),
  delay_ms: Type.Optional(Milliseconds),
  first_token_delay_ms: Type.Optional(Milliseconds),
  token_delay_ms: Type.Optional(Milliseconds),
  tokens_per_second: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 100_000 })),
  cut_after: Type.Optional(Pieces),
  truncate_after: Type.Optional(Pieces),
  no_end: Type.Optional(Type.Boolean()),
  upload_bytes_per_second: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000_000_000, description: 'How fast the request body is read.' }),
  ),
  webhook: Type.Optional(Type.Enum(['late', 'twice', 'out-of-order', 'wrong-signature', 'old-timestamp'])),
};

const Turns = {
  every: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 })),
  times: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
};

export const SimulationRequest = Type.Object(
  {
    route: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'For example POST /v1/chat/completions',
    }),
    ...Turns,
    status: Type.Optional(Type.Integer({ minimum: 400, maximum: 599 })),
    ...TROUBLE,
  },
  { $id: 'SimulationRequest', additionalProperties: false },
);
export type SimulationRequest = Static<typeof SimulationRequest>;

export const Simulation = Type.Object(
  {
    id: Type.String(),
    method: Type.String(),
    path: Type.String(),
    every: Type.Integer({ description: 'Only every nth request to this route.' }),
    times: Type.Union([Type.Integer(), Type.Null()], { description: 'At most this many times.' }),
    seen: Type.Integer({ description: 'Requests to this route since the daemon started.' }),
    simulates: Type.Object(TROUBLE),
    created_at: Type.String({ format: 'date-time' }),
  },
  { $id: 'Simulation' },
);
export type Simulation = Static<typeof Simulation>;

const path = '/api/keys/{id}/simulations';
const common = { tag: 'Keys', access: 'management' } as const;

export const listSimulations = endpoint({
  method: 'GET',
  path,
  summary: 'List the simulations of a test key',
  ...common,
  response: Type.Object({ simulations: Type.Array(Simulation) }),
});

export const addSimulation = endpoint({
  method: 'POST',
  path,
  summary: 'Simulate failures and delays for a test key',
  ...common,
  isAtomic: true,
  body: SimulationRequest,
  status: 201,
  response: Simulation,
});

export const removeSimulation = endpoint({
  method: 'DELETE',
  path: `${path}/{simulation_id}`,
  summary: 'Remove a simulation of a test key',
  ...common,
  isAtomic: true,
  response: Type.Object({ success: Type.Literal(true) }),
});
