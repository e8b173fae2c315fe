import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Endpoint } from '../../src/api/endpoint.ts';
import { KEPT_BYTES_MAX, type Attempt, type Idempotency } from '../../src/idempotency/idempotency.ts';
import { readIdempotencyKey } from '../../src/idempotency/key-syntax.ts';
import type { DeferredWrites } from '../../src/store/deferred-writes.ts';
import { bearerToken } from '../auth/authenticate.ts';
import { readSessionCookie } from '../auth/session-cookie.ts';

/** Besides the body, what a client may rely on in a replayed answer. */
const KEPT_HEADERS = ['content-type', 'cache-control'];

export type Idempotent = ReturnType<typeof createIdempotent>;

/** Makes every POST safe to retry when it has an `Idempotency-Key`. */
export function createIdempotent(idempotency: Idempotency, deferred: Pick<DeferredWrites, 'write'>) {
  /** True if a stored answer was sent. */
  function begin(endpoint: Endpoint, request: FastifyRequest, reply: FastifyReply): boolean {
    const header = request.headers['idempotency-key'];
    if (header === undefined || endpoint.method !== 'POST' || endpoint.access === 'public') return false;
    const beginning = idempotency.begin({
      accountId: request.principal.accountId,
      method: endpoint.method,
      route: endpoint.path,
      key: readIdempotencyKey(String(header)),
      credential: bearerToken(request) ?? readSessionCookie(request) ?? '',
      fingerprint: fingerprintOf(request),
      requestId: request.id,
    });
    if (beginning.kind === 'run') {
      request.attempt = beginning.attempt;
      return false;
    }
    const { status, headers, body } = beginning.answer;
    void reply.status(status).headers({ ...headers, 'x-request-id': beginning.requestId });
    void reply.header('idempotent-replayed', 'true').send(body);
    return true;
  }

  /** For effects that are a transaction: the answer is stored in the same one. */
  function keep(request: FastifyRequest, reply: FastifyReply, answer: unknown): void {
    if (!request.attempt) return;
    const headers = { ...keptHeaders(reply), 'content-type': 'application/json; charset=utf-8' };
    const body = Buffer.from(JSON.stringify(answer));
    idempotency.complete(request.attempt, { status: reply.statusCode, headers, body });
  }

  /** Runs before an answer is sent: a complete success is stored, a failure or an aborted answer is forgotten. */
  function onSend(request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown {
    const { attempt } = request;
    if (!attempt) return payload;
    request.attempt = undefined;
    const status = reply.statusCode;
    // A full disk must not withhold a response from its client, or keep its key waiting forever.
    const write = (work: () => void) =>
      deferred.write(`the response for the Idempotency-Key of ${request.id}`, work);
    const abandon = () => write(() => idempotency.abandon(attempt));
    if (status < 200 || status >= 300) {
      abandon();
      return payload;
    }
    const headers = keptHeaders(reply);
    const finish = (body: Buffer | undefined) =>
      write(() => idempotency.complete(attempt, { status, headers, body }));
    if (payload instanceof Readable) return Readable.from(recorded({ payload, request, abandon, finish }));
    finish(Buffer.from((payload as string | Buffer | null) ?? ''));
    return payload;
  }

  async function* recorded({
    payload,
    request,
    abandon,
    finish,
  }: Recording): AsyncGenerator<string | Buffer> {
    const chunks: Buffer[] = [];
    let bytes = 0;
    let isWhole = false;
    try {
      for await (const chunk of payload as AsyncIterable<string | Buffer>) {
        const part = Buffer.from(chunk as string);
        bytes += part.length;
        if (bytes <= KEPT_BYTES_MAX) chunks.push(part);
        yield chunk;
      }
      isWhole = !request.brokeOff;
    } finally {
      if (isWhole) finish(bytes <= KEPT_BYTES_MAX ? Buffer.concat(chunks) : undefined);
      else abandon();
    }
  }

  return { begin, keep, onSend };
}

type Recording = {
  payload: Readable;
  request: FastifyRequest;
  abandon: () => void;
  finish: (body: Buffer | undefined) => void;
};

function keptHeaders(reply: FastifyReply): Record<string, string> {
  const headers = reply.getHeaders();
  const kept = KEPT_HEADERS.flatMap((name) =>
    headers[name] === undefined ? [] : [[name, String(headers[name])]],
  );
  return Object.fromEntries(kept) as Record<string, string>;
}

function fingerprintOf(request: FastifyRequest): Buffer {
  const query = request.url.split('?')[1] ?? '';
  const sorted = [...new URLSearchParams(query)].map((pair) => pair.join('=')).sort();
  // Each time a form is sent, it has a different boundary.
  const type = (request.headers['content-type'] ?? '').replace(/^(multipart\/form-data).*/i, '$1');
  return createHash('sha256')
    .update([sorted.join('&'), type, ''].join('\0'))
    .update(request.bodyHash ?? '')
    .digest();
}

/**
 * JSON is the only type parsed here. Two bodies are the same if their bytes are, so they are hashed before they are
 * parsed.
 */
export function hashBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = body as Buffer;
    if (request.headers['idempotency-key'] !== undefined) {
      request.bodyHash = createHash('sha256').update(bytes).digest();
    }
    void parse(request, bytes.toString('utf8'), done);
  });
}

declare module 'fastify' {
  // eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- only an interface can be augmented
  interface FastifyRequest {
    attempt?: Attempt | undefined;
    bodyHash?: Buffer;
    /** Set if a stream fails after its headers were sent. */
    brokeOff?: boolean;
  }
}
