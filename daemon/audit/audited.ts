import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createMinuteCounts } from '../../src/access/minute-counts.ts';
import type { Principal } from '../../src/access/keys.ts';
import type { AuditEntry } from '../../src/events/audit/audit-log.ts';
import type { Services } from '../compose.ts';
import { failureFrom } from '../http/error-mapping.ts';
import { actionOf, type Action } from './actions.ts';
import { actorOf, NOBODY } from './actor.ts';
import { stateOf } from './states.ts';

/** How many wrong credentials from one address are recorded per minute, since anyone can send them. */
const REFUSED_PER_MINUTE_MAX = 10;

type Asked = {
  body: unknown;
  params: Record<string, string>;
  principal: Principal;
  request: FastifyRequest;
  reply: FastifyReply;
};
type Wanted = { action: Action; asked: Asked };
export type Audited = ReturnType<typeof createAudited>;

/** Records what management routes do. A route whose action cannot be recorded does nothing. */
export function createAudited(services: Services) {
  const { auditLog, deferred, clock, log } = services;
  const refusals = createMinuteCounts({ clock, max: REFUSED_PER_MINUTE_MAX });

  /** Who may do this. Requests with a wrong credential are recorded. */
  function admit(action: Action, request: FastifyRequest, check: () => Principal): Principal {
    try {
      return check();
    } catch (error) {
      const { code, kind } = failureFrom(error);
      const isGuess = kind.status === 401 || kind.status === 403;
      if (isGuess && hasCredential(request) && refusals.add(request.ip) === undefined)
        auditLog.record({
          ...originOf(request),
          action: action.name,
          actor: NOBODY,
          outcome: 'refused',
          code,
        });
      throw error;
    }
  }

  /** In the transaction of the action. */
  function within<Result>(wanted: Wanted, work: () => Result): Result {
    const before = stateBefore(wanted);
    const answer = work();
    auditLog.record(succeeded(wanted, before, answer));
    return answer;
  }

  /** An action that needs more than one transaction is recorded before it starts, and again when it ends. */
  function around(wanted: Wanted, work: () => unknown): unknown {
    const before = stateBefore(wanted);
    const begun = entryOf(services, wanted);
    auditLog.record({ ...begun, before, after: fieldsOf(wanted), outcome: 'started' });
    const end = (answer: unknown): unknown => {
      if (answer instanceof Readable) endWith(wanted, before);
      else keep(succeeded(wanted, before, answer));
      return answer;
    };
    try {
      const answer = work();
      if (!(answer instanceof Promise)) return end(answer);
      return answer.then(end, (error: unknown) => {
        failed(wanted, error);
        throw error;
      });
    } catch (error) {
      failed(wanted, error);
      throw error;
    }
  }

  /** A long action reports its progress in its response, and ends with it. */
  function endWith(wanted: Wanted, before: unknown): void {
    const { request, reply } = wanted.asked;
    reply.raw.once('close', () => {
      const isWhole = reply.raw.writableFinished && !request.brokeOff;
      const code = request.failureCode ?? (reply.raw.writableFinished ? undefined : 'client_disconnected');
      keep({ ...succeeded(wanted, before, undefined), ...(!isWhole && { outcome: 'failed', code }) });
    });
  }

  function failed(wanted: Wanted, error: unknown): void {
    keep({
      ...entryOf(services, wanted),
      after: fieldsOf(wanted),
      outcome: 'failed',
      code: failureFrom(error).code,
    });
  }

  /** Whether or not the action took place, it is not undone because this record cannot be written yet. */
  function keep(entry: AuditEntry): void {
    try {
      deferred.write(`the audit record of ${entry.requestId}`, () => auditLog.record(entry));
    } catch (error) {
      log.error({ err: error, request_id: entry.requestId }, 'the end of an action could not be recorded');
    }
  }

  function stateBefore({ action, asked }: Wanted): unknown {
    const { accountId } = asked.principal;
    return stateOf(services, action.state, { accountId, object: objectOf(action, asked) ?? '' });
  }

  function succeeded(wanted: Wanted, before: unknown, answer: unknown): AuditEntry {
    const { action, asked } = wanted;
    const entry = entryOf(services, wanted);
    const made = idOf(answer);
    const { accountId } = asked.principal;
    const stateAfter = (object = '') => stateOf(services, action.state, { accountId, object });
    const after = stateAfter(made) ?? stateAfter(entry.object) ?? fieldsOf(wanted);
    return { ...entry, object: entry.object ?? made, before, after, outcome: 'succeeded' };
  }

  return { admit, within, around, failed, actionOf };
}

function entryOf(services: Services, { action, asked }: Wanted): Omit<AuditEntry, 'outcome'> {
  const { request, principal } = asked;
  const { accountId } = principal;
  const object = objectOf(action, asked);
  return {
    ...originOf(request),
    action: action.name,
    actor: actorOf(services, principal),
    accountId,
    object,
  };
}

/** Where a request comes from. */
export function originOf(request: FastifyRequest) {
  return { client: request.headers['user-agent'], address: request.ip, requestId: request.id };
}

function hasCredential({ headers }: FastifyRequest): boolean {
  return [headers.authorization, headers['x-api-key'], headers.cookie].some((each) => each !== undefined);
}

function objectOf({ object }: Action, { params, body }: Asked): string | undefined {
  if (object === undefined) return undefined;
  return textOf(params[object] ?? (body as Record<string, unknown> | undefined)?.[object]);
}

function fieldsOf({ action: { fields = [] }, asked: { body } }: Wanted): Record<string, unknown> | undefined {
  const given = (body ?? {}) as Record<string, unknown>;
  const named = fields.filter((name) => given[name] !== undefined).map((name) => [name, given[name]]);
  return named.length === 0 ? undefined : (Object.fromEntries(named) as Record<string, unknown>);
}

/** The id of what a response created. */
function idOf(answer: unknown): string | undefined {
  const { id, webhook } = (typeof answer === 'object' ? (answer ?? {}) : {}) as {
    id?: unknown;
    webhook?: { id?: unknown };
  };
  return textOf(id ?? webhook?.id);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
