import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from '../../src/api/schema.ts';
import type { Principal } from '../../src/access/keys.ts';
import type { Sessions } from '../../src/access/sessions.ts';
import { anySignal } from '../../src/base/any-signal.ts';
import type { BodyOf, Endpoint, QueryOf, ResponseOf } from '../../src/api/endpoint.ts';
import { Failure } from '../../src/base/errors.ts';
import type { RateLimits } from '../../src/limits/rate-limits.ts';
import type { Store } from '../../src/store/store.ts';
import type { Authenticator } from '../auth/authenticate.ts';
import { requireRole } from '../auth/roles.ts';
import { toRouterPath } from './known-routes.ts';
import { expectForm, type Uploads } from './upload.ts';
import type { Idempotent } from './idempotent.ts';
import { applyPolicy } from '../apis/parameters/apply-policy.ts';
import { ignoredBy } from '../apis/parameters/ignored.ts';
import { policyTree, type PolicyNode } from '../apis/parameters/policy-tree.ts';
import { PreparedJson } from './prepared-json.ts';
import type { Audited } from '../audit/audited.ts';
import type { Log } from '../../src/log/log.ts';
import type { Simulations } from '../../src/access/simulation/simulations.ts';
import { beginSimulation, slowUpload, withTrouble } from './simulate.ts';
import { readQuery, type Texts } from './query.ts';
import { takeTurn } from './take-turn.ts';

export type Call<E extends Endpoint> = {
  body: BodyOf<E>;
  query: QueryOf<E>;
  params: Record<string, string>;
  /** Parameters accepted without effect; a translation adds those that it omits. */
  ignored: Set<string>;
  principal: Principal;
  requestId: string;
  /** Aborts when the client disconnects, or its session is signed out, before its answer is complete. */
  client: AbortSignal;
  request: FastifyRequest;
  reply: FastifyReply;
};

export type Answer<E extends Endpoint> = E['event'] extends TSchema
  ? Promise<ResponseOf<E> | NodeJS.ReadableStream>
  : Promise<ResponseOf<E> | PreparedJson> | ResponseOf<E>;

/** What a request passes through before its handler. */
export type Gates = {
  authenticator: Authenticator;
  rates: RateLimits;
  store: Store;
  idempotent: Idempotent;
  uploads: Uploads;
  isStrict: boolean;
  sessions: Pick<Sessions, 'ending'>;
  simulations: Simulations;
  audited: Audited;
  log: Log;
};

export type RegisterRoute = <E extends Endpoint>(endpoint: E, handler: (call: Call<E>) => Answer<E>) => void;

/** Registers endpoints on the server: schema, access and status all come from the endpoint. */
export function createRegisterRoute(app: FastifyInstance, gates: Gates): RegisterRoute {
  const { authenticator, rates, store, idempotent, uploads, isStrict, sessions, audited } = gates;
  return (endpoint, handler) => {
    const action = audited.actionOf(endpoint);
    const checkParameters = parameterCheck(endpoint, isStrict);
    app.route({
      method: endpoint.method,
      url: toRouterPath(endpoint.path),
      // No HEAD for streams: opening one is work, or continues until its reader leaves.
      ...(endpoint.method === 'GET' && { exposeHeadRoute: endpoint.event === undefined }),
      config: { isForm: endpoint.isForm ?? false, access: endpoint.access },
      schema: {
        ...(endpoint.body && { body: endpoint.body }),
        ...(endpoint.query && { querystring: endpoint.query }),
      },
      onRequest: (request, reply, done) => {
        const admit = () => requireRole(authenticator.admit(request, endpoint.access), endpoint);
        request.principal = action ? audited.admit(action, request, admit) : admit();
        beginSimulation(gates, endpoint, request, reply);
        if (endpoint.isForm) expectForm(request, reply, uploads);
        done();
      },
      ...(endpoint.body && {
        preParsing: (request, _reply, payload, done) => done(null, slowUpload(request, payload)),
      }),
      ...(reads(endpoint) && {
        preValidation: (request, reply, done) => {
          if (idempotent.begin(endpoint, request, reply)) return;
          if (endpoint.clearable) dropNullsExcept(request.body, endpoint.clearable);
          else dropNulls(request.body);
          if (endpoint.isForm && endpoint.body)
            request.body = readQuery(endpoint.body, request.body as Texts);
          checkParameters?.(request);
          if (endpoint.query) request.query = readQuery(endpoint.query, request.query as Texts);
          done();
        },
      }),
      ...(endpoint.method === 'POST' && {
        onSend: (request, reply, payload, done) => done(null, idempotent.onSend(request, reply, payload)),
      }),
      // Not async: an answer that is ready is sent without another turn of the event loop.
      handler: (request, reply) => {
        const { accountId, keyId } = request.principal;
        if (endpoint.access === 'chat' && !endpoint.isRelay && !request.batch)
          rates.refuseIfExhausted(accountId, keyId);
        if (endpoint.status !== undefined) void reply.status(endpoint.status);
        const call = new RouteCall(endpoint, { request, reply, sessions });
        const wanted = action && { action, asked: call };
        const answer = (): unknown =>
          endpoint.isAtomic
            ? keepAtomically(wanted, { request, reply }, () => handler(call))
            : wanted
              ? audited.around(wanted, () => handler(call))
              : handler(call);
        const { simulated } = request;
        const begin = () => (simulated ? withTrouble(simulated, call, answer) : answer());
        const turn = endpoint.access === 'chat' ? takeTurn() : undefined;
        const answered = turn ? turn.then(begin) : begin();
        return answered instanceof Promise ? sendLater(reply, answered) : sendPrepared(reply, answered);
      },
    });
  };

  /** The effect, its record and the response stored for retries: all or none. */
  function keepAtomically(
    wanted: Recorded,
    { request, reply }: Pick<Exchange, 'request' | 'reply'>,
    answer: () => unknown,
  ): unknown {
    try {
      const result = store.transaction(() => {
        const done = wanted ? audited.within(wanted, answer) : answer();
        idempotent.keep(request, reply, done);
        return done;
      });
      request.attempt = undefined;
      return result;
    } catch (error) {
      if (wanted) audited.failed(wanted, error);
      throw error;
    }
  }
}

/** Whether there is anything to check before the handler: a body, a query, or an idempotency key. */
function reads({ method, body, query }: Endpoint): boolean {
  return method === 'POST' || body !== undefined || query !== undefined;
}

/** Built with the first request, like the validators. */
function parameterCheck({ body, policy }: Endpoint, isStrict: boolean) {
  if (!body || !policy) return undefined;
  let tree: { root: PolicyNode | undefined } | undefined;
  return (request: FastifyRequest): void => {
    tree ??= { root: policyTree(body, policy) };
    applyPolicy(request.body, tree.root, { isStrict, ignore: (path) => ignoredBy(request).add(path) });
  };
}

/** A class, since every request creates one and most never look at the signal. */
class RouteCall<E extends Endpoint> implements Call<E> {
  readonly body: BodyOf<E>;
  readonly query: QueryOf<E>;
  readonly params: Record<string, string>;
  readonly principal: Principal;
  readonly requestId: string;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly #sessions: Gates['sessions'];
  #client: AbortSignal | undefined;

  constructor(endpoint: E, { request, reply, sessions }: Exchange) {
    this.body = request.body as BodyOf<E>;
    this.query = request.query as QueryOf<E>;
    this.params = namedParams(endpoint.path, request.params as Record<string, string>);
    this.principal = request.principal;
    this.requestId = request.id;
    this.request = request;
    this.reply = reply;
    this.#sessions = sessions;
  }

  get ignored(): Set<string> {
    return ignoredBy(this.request);
  }

  get client(): AbortSignal {
    return (this.#client ??= this.#clientOrSession());
  }

  /** A page that was signed out is gone, whatever its connections do. */
  #clientOrSession(): AbortSignal {
    const { batch } = this.request;
    if (batch) return batch.signal;
    const client = clientSignal(this.reply);
    const { sessionId } = this.principal;
    return sessionId === undefined ? client : anySignal(client, this.#sessions.ending(sessionId));
  }
}

type Recorded = Parameters<Audited['within']>[0] | undefined;
type Exchange = { request: FastifyRequest; reply: FastifyReply; sessions: Gates['sessions'] };

async function sendLater(reply: FastifyReply, answered: Promise<unknown>): Promise<unknown> {
  return sendPrepared(reply, await answered);
}

function sendPrepared(reply: FastifyReply, answer: unknown): unknown {
  if (!(answer instanceof PreparedJson)) return answer;
  return reply.type('application/json; charset=utf-8').send(answer.text);
}

declare module 'fastify' {
  // eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- only an interface can be augmented
  interface FastifyRequest {
    principal: Principal;
  }
}

/** On Node 20, the request's own `close` fires as soon as its body is read; the response's is the right one. */
function clientSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished)
      controller.abort(new Failure('client_disconnected', 'The client closed the connection.'));
  });
  return controller.signal;
}

/** In a JSON schema null is a value, as it is in the arguments of a tool call. */
const SCHEMA_FIELDS = ['schema', 'parameters', 'arguments', 'input_schema', 'input_examples'];
const CALL = /tool_use$/;
/** No request needs more, and parsing recurses once per level. */
const BODY_LEVELS_MAX = 200;

function dropNullsExcept(body: unknown, clearable: readonly string[]): void {
  const fields = (typeof body === 'object' ? (body ?? {}) : {}) as Record<string, unknown>;
  const cleared = clearable.filter((name) => fields[name] === null);
  dropNulls(body);
  for (const name of cleared) fields[name] = null;
}

/** Clients send null for "not set", even inside messages that they received from us. */
function dropNulls(body: unknown, keepsNulls = false, level = 0): void {
  if (typeof body !== 'object' || body === null) return;
  if (level > BODY_LEVELS_MAX)
    throw new Failure('invalid_value', `The body is nested more than ${BODY_LEVELS_MAX} levels deep.`);
  if (Array.isArray(body)) {
    for (const item of body) dropNulls(item, keepsNulls, level + 1);
    return;
  }
  const fields = body as Record<string, unknown>;
  for (const name in fields) {
    if (fields[name] === null && !keepsNulls) delete fields[name];
    else dropNulls(fields[name], keepsNulls || holdsNulls(fields, name, level), level + 1);
  }
}

function holdsNulls(fields: Record<string, unknown>, name: string, level: number): boolean {
  const isSchema = SCHEMA_FIELDS.includes(name) || (name === 'format' && level === 0);
  return isSchema || (name === 'input' && CALL.test(String(fields['type'])));
}

function namedParams(path: string, params: Record<string, string>): Record<string, string> {
  if (!path.endsWith('*}')) return params;
  const rest = /\{(\w+)\*\}$/.exec(path)?.[1];
  return rest === undefined ? params : { ...params, [rest]: params['*'] ?? '' };
}
