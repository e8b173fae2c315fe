import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { Failure, toErrorBody, type FailureCode } from '../../src/base/errors.ts';
import { newId } from '../../src/base/ids.ts';
import { ACCOUNT_ID } from '../auth/account.ts';
import type { Services } from '../compose.ts';
import { createAudited } from '../audit/audited.ts';
import { answerCors } from './cors.ts';
import { createAuthenticator } from '../auth/authenticate.ts';
import { createIdempotent, hashBodies } from './idempotent.ts';
import { endpointsAt } from './known-routes.ts';
import { messagesStatus, speaksMessages, toMessagesError } from '../apis/messages/errors.ts';
import { createRegisterRoute } from './register-route.ts';
import { speaksOllama, toOllamaError } from '../apis/ollama/errors.ts';
import { createListenerAuthenticator } from '../apis/ollama/access.ts';
import { openOllamaApi } from '../apis/ollama/open.ts';
import { checkHost } from '../auth/origin-guard.ts';
import { IGNORED_HEADER, toIgnoredHeader } from '../apis/parameters/ignored.ts';
import { registerPages } from '../console/register-pages.ts';
import { endUpload, hasUnreadBody, readToEnd } from './unread-body.ts';
import { formBytesMax, readForms, type Uploads } from './upload.ts';
import { failureFrom } from './error-mapping.ts';
import { ROUTES } from '../routes.ts';
import { createMetricsAuthenticator } from '../auth/metrics-access.ts';
import { registerMetrics } from '../routes/management/metrics.ts';
import { addGauges } from '../telemetry/gauges.ts';
import { registerOpenapi } from '../routes/management/openapi.ts';
import { registerStripe } from '../routes/account/stripe.ts';
import { registerTestControl } from '../testing/control.ts';
import { buildSerializer, createValidators } from './validators.ts';

/** nginx's status for a client that disconnected before it was answered. */
const CLIENT_LEFT = 499;
const CLOSE_LOOK_EVERY_MS = 25;
const DATA_PLANE = /^\/(?:v\d\/|rerank)/;
const JSON_BODY_BYTES_MAX = 20 * 1024 * 1024;
/** Browsers must not sniff types, send referrers, or share an answer with a page of another origin. */
const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
};

/** The HTTP server: the origin guard runs first, and failures turn into responses in one place. */
export function createServer(services: Services): FastifyInstance {
  const app: FastifyInstance = Fastify({
    ...(services.tls && { https: services.tls as object }),
    logger: false,
    bodyLimit: JSON_BODY_BYTES_MAX,
    genReqId: () => newId('req'),
    routerOptions: { maxParamLength: 500 },
    schemaController: { compilersFactory: { buildValidator: createValidators, buildSerializer } as object },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => answerFailure(services, { error, request, reply }),
    clientErrorHandler: (_error, socket) => socket.end(malformedAnswer()),
  });
  app.decorateRequest('principal');
  app.decorateRequest('beganMs');
  app.decorateRequest('ignored');
  app.decorateRequest('failureCode');
  app.decorateRequest('simulated');
  app.decorateRequest('batch');
  hashBodies(app);
  readForms(app, uploadsOf(services));
  addHooks(app, services);
  app.setErrorHandler((error, request, reply) => {
    if (hasUnreadBody(request)) answerUnread(services, { error, request, reply });
    else answerFailure(services, { error, request, reply });
  });
  app.setNotFoundHandler((request) => {
    throw unknownRoute(request);
  });
  const gates = {
    authenticator: createListenerAuthenticator({ ...services, authenticator: createAuthenticator(services) }),
    rates: services.rates,
    store: services.store,
    idempotent: createIdempotent(services.idempotency, services.deferred),
    uploads: uploadsOf(services),
    isStrict: services.settings.strictParameters,
    sessions: services.sessions,
    simulations: services.simulations,
    audited: createAudited(services),
    log: services.log,
  };
  const register = createRegisterRoute(app, gates);
  for (const registerRoutes of ROUTES) registerRoutes(register, services);
  registerTestControl(register, services);
  openMetrics(app, gates, services);
  openOllamaApi(app, gates, services);
  registerOpenapi(app);
  registerStripe(app, services);
  registerPages(app, services);
  services.batchLines.connect(app);
  return app;
}

type Gates = Parameters<typeof createRegisterRoute>[1];

function openMetrics(app: FastifyInstance, gates: Gates, services: Services): void {
  const authenticator = createMetricsAuthenticator({ ...services, authenticator: gates.authenticator });
  registerMetrics(createRegisterRoute(app, { ...gates, authenticator }), services);
  const stop = addGauges(services.telemetry.registry, services);
  app.addHook('onClose', (_app, done) => {
    stop();
    done();
  });
}

function uploadsOf({ settings }: Services): Uploads {
  return { folder: settings.paths.uploads, bytesMax: settings.audioBytesMax };
}

/**
 * Closes after the running requests. After that it does not wait for connections: neither those kept alive for a next
 * request nor those that a client opened ahead of time, which Node does not count as idle.
 */
export async function closeServer(app: FastifyInstance, { boot }: Pick<Services, 'boot'>): Promise<void> {
  const timer = setInterval(() => {
    if (boot.inFlight() === 0) app.server.closeAllConnections();
  }, CLOSE_LOOK_EVERY_MS);
  try {
    await app.close();
  } finally {
    clearInterval(timer);
  }
}

/** Every request passes here, so hooks are few and allocate little. */
function addHooks(app: FastifyInstance, services: Services): void {
  const { boot, rates, tls, settings, telemetry, batchLines } = services;
  const { allowedHosts, allowedOrigins } = settings;
  app.addHook('onRequest', (request, reply, done) => {
    request.beganMs = performance.now();
    void reply.header('x-request-id', request.id).headers(SECURITY_HEADERS);
    if (speaksMessages(request)) void reply.header('request-id', request.id);
    boot.requestBegins();
    telemetry.begin(request.id, request.headers['traceparent'] as string | undefined);
    // The end of the answer, or of a client that did not wait for it. It fires once, so `once` would only cost time.
    reply.raw.on('close', () => {
      boot.requestEnds();
      telemetry.end(request.id, answeredBy(request, reply));
      note(services, request, reply);
    });
    batchLines.mark(request);
    if (!request.batch) checkHost(request, { certificate: tls?.certificate, allowed: allowedHosts });
    if (answerCors({ request, reply, allowed: allowedOrigins })) return;
    done();
  });
  app.addHook('onSend', (request, reply, _payload, done) => {
    void reply.header('x-processing-time-ms', elapsedMs(request));
    if (DATA_PLANE.test(request.url))
      addRateHeaders(
        reply,
        rates.status(request.principal?.accountId ?? ACCOUNT_ID, request.principal?.keyId),
      );
    if (request.ignored) addIgnored(services, request, reply);
    done();
  });
}

function addIgnored({ ignoredCounts }: Services, request: FastifyRequest, reply: FastifyReply): void {
  const { ignored = new Set() } = request;
  if (ignored.size === 0) return;
  void reply.header(IGNORED_HEADER, toIgnoredHeader(ignored));
  ignoredCounts.count(`${request.method} ${request.routeOptions.url ?? ''}`, ignored);
}

/** A request that never reached the hooks took no time. The framework's own timer only runs for its other hooks. */
function elapsedMs({ beganMs }: FastifyRequest): number {
  return beganMs === undefined ? 0 : Math.round(performance.now() - beganMs);
}

/** Unknown paths count as one route, so that clients cannot create series of their own. */
function answeredBy({ method, routeOptions, failureCode: code }: FastifyRequest, reply: FastifyReply) {
  const status = reply.raw.headersSent ? reply.statusCode : CLIENT_LEFT;
  return { route: routeOptions.url ?? 'unknown', method, status, code };
}

function note({ log }: Services, request: FastifyRequest, reply: FastifyReply): void {
  const level = isWorthLogging(request, reply) ? 'info' : 'debug';
  if (!log.isLevelEnabled(level)) return;
  const { headersSent, writableFinished } = reply.raw;
  log[level](
    {
      request_id: request.id,
      method: request.method,
      path: shownPath(request),
      // A client that left before the answer got no status, and one that left during it did not get all of the
      // answer.
      ...(headersSent && { status: reply.statusCode }),
      ...(!writableFinished && { client_left: true }),
      ms: elapsedMs(request),
      key_id: request.principal?.keyId ?? undefined,
      session_id: request.principal?.sessionId,
      simulated: request.simulated?.text,
      ...(request.ignored && log.isLevelEnabled('debug') && { ignored: [...request.ignored] }),
    },
    'request',
  );
}

/** Polling is not logged; changes, failures and inference are. */
function isWorthLogging({ method }: FastifyRequest, { statusCode }: FastifyReply): boolean {
  return method !== 'GET' || statusCode >= 400;
}

/** On every answer of the data plane, including streams and errors. */
function addRateHeaders(reply: FastifyReply, { rpm, tpm }: ReturnType<Services['rates']['status']>): void {
  void reply
    .header('x-ratelimit-limit-rpm', rpm.limit)
    .header('x-ratelimit-remaining-rpm', rpm.remaining)
    .header('x-ratelimit-limit-tpm', tpm.limit)
    .header('x-ratelimit-remaining-tpm', tpm.remaining);
}

declare module 'fastify' {
  // eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- only an interface can be augmented
  interface FastifyRequest {
    beganMs?: number;
    failureCode?: FailureCode;
  }
}

const REFUSED_CLIENTS: readonly FailureCode[] = ['origin_not_allowed', 'host_not_allowed'];

/** A client does not read an answer while it is sending, so its body is drained first, unless it is too long. */
function answerUnread(services: Services, failing: Failing): void {
  const { request } = failing;
  const bytesMax = Math.max(JSON_BODY_BYTES_MAX, formBytesMax(uploadsOf(services)));
  const isTooLong = Number(request.headers['content-length'] ?? 0) > bytesMax;
  void (isTooLong ? Promise.resolve() : readToEnd(request, bytesMax)).then(() => {
    if (!request.raw.complete) endUpload(request);
    // The framework would close the connection with the answer, which a client that is still sending may then miss.
    void failing.reply.removeHeader('connection');
    answerFailure(services, failing);
  });
}

type Failing = { error: unknown; request: FastifyRequest; reply: FastifyReply };

function answerFailure({ log, stopping }: Services, { error, request, reply }: Failing): void {
  const failure = failureFrom(error);
  request.failureCode = failure.code;
  const { status, retry } = failure.kind;
  const { retryAfterSeconds } = failure;
  if (status >= 500 && !stopping.signal.aborted) {
    log.error({ request_id: request.id, code: failure.code, err: failure.cause ?? failure }, failure.message);
  }
  // A browser hides the answer from its page, so it is logged for the person.
  if (status === 403 && REFUSED_CLIENTS.includes(failure.code))
    log.warn({ code: failure.code }, failure.message);
  if (status === 401) void reply.header('www-authenticate', 'Bearer');
  if (failure.code === 'method_not_allowed')
    void reply.header('allow', allowedMethods(request.url).join(', '));
  if (retry !== undefined) void reply.header('x-should-retry', String(retry));
  if (retryAfterSeconds !== undefined) void reply.header('retry-after', retryAfterSeconds);
  // A URL that cannot be parsed never reaches the hooks, so its answer gets the headers here.
  void reply.header('x-request-id', request.id).header('x-processing-time-ms', elapsedMs(request));
  if (speaksOllama(request)) return void reply.status(status).send(toOllamaError(failure));
  if (!speaksMessages(request)) return void reply.status(status).send(toErrorBody(failure));
  void reply.status(messagesStatus(failure)).send(toMessagesError(failure, request.id));
}

function unknownRoute(request: FastifyRequest): Failure {
  const methods = allowedMethods(request.url);
  if (methods.length === 0) {
    return new Failure('not_found', `There is no ${request.method} ${shownPath(request)}. See /openapi.json`);
  }
  return new Failure(
    'method_not_allowed',
    `${request.method} is not allowed here; ${methods.join(', ')} is.`,
  );
}

/** Percent-decoded, so that secrets are recognised behind % signs. Queries are never logged. */
function shownPath({ url }: FastifyRequest): string {
  const path = url.split('?')[0] ?? '';
  return path.replace(/%(?:2[1-9a-f]|[3-6][0-9a-f]|7[0-9a-e])/gi, (coded) => decodeURIComponent(coded));
}

function allowedMethods(url: string): string[] {
  return endpointsAt(url).map(({ method }) => method);
}

const MALFORMED_BODY = JSON.stringify(
  toErrorBody(new Failure('invalid_value', 'This is not a valid HTTP request.')),
);
/** A request that the parser rejects reaches no hook, so it gets its request id here. */
function malformedAnswer(): string {
  return [
    'HTTP/1.1 400 Bad Request',
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(MALFORMED_BODY)}`,
    `x-request-id: ${newId('req')}`,
    'connection: close',
    '',
    MALFORMED_BODY,
  ].join('\r\n');
}
