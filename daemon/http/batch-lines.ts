import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Principal } from '../../src/access/keys.ts';
import type { PrincipalOf } from '../../src/access/principal-of.ts';
import type { Batch } from '../../src/responses/batches/batches.ts';
import type { Request } from '../../src/responses/batches/lines.ts';
import { parse } from '../../src/responses/batches/validate.ts';
import { toAnswer, type Answer, type Attempt } from '../../src/responses/batches/run-line.ts';

/** A request of a batch in flight, and on whose behalf it is sent. */
type SentLine = Attempt & { principal: Principal };

/** A line may wait for hours, and its key may be revoked in the meantime. */
const LOOK_EVERY_MS = 2_000;

export type BatchLines = ReturnType<typeof createBatchLines>;

/**
 * Sends the requests of batches through the routes of this server, so that they pass the same checks as all others.
 * Each has a token of its own instead of a key, whose secret nobody stores.
 */
export function createBatchLines({ principalOf }: { principalOf: PrincipalOf }) {
  const sent = new Map<string, SentLine>();
  let server: FastifyInstance | undefined;

  async function send(batch: Batch, { url, body }: Request, attempt: Attempt): Promise<Answer> {
    if (!server) throw new Error('The server is not there yet');
    const standing = standingOf(batch);
    if ('refusal' in standing) return standing.refusal;
    const { principal } = standing;
    const watch = setInterval(() => {
      if ('refusal' in standingOf(batch)) attempt.preempt();
    }, LOOK_EVERY_MS).unref();
    const authorization = `Bearer line_${randomBytes(32).toString('base64url')}`;
    sent.set(authorization, { ...attempt, principal });
    try {
      const reply = await server.inject({
        ...{ method: 'POST', url, payload: JSON.stringify(body) },
        headers: { authorization, 'content-type': 'application/json' },
      });
      const requestId = String(reply.headers['x-request-id']);
      return { status: reply.statusCode, requestId, body: parse(reply.payload) };
    } finally {
      clearInterval(watch);
      sent.delete(authorization);
    }
  }

  function standingOf({ accountId, keyId }: Batch): { principal: Principal } | { refusal: Answer } {
    try {
      return { principal: principalOf(accountId, keyId) };
    } catch (error) {
      return { refusal: toAnswer(error) };
    }
  }

  return {
    send,
    connect: (app: FastifyInstance): void => void (server = app),
    /** Marks such a request: it comes from no network, and nobody else has its token. */
    mark(request: FastifyRequest): void {
      if (sent.size > 0) request.batch = sent.get(request.headers.authorization ?? '');
    },
  };
}

declare module 'fastify' {
  // eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- only an interface can be augmented
  interface FastifyRequest {
    batch: SentLine | undefined;
  }
}
