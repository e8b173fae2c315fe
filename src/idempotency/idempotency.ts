import { createHash } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import { Failure } from '../base/errors.ts';
import type { Store } from '../store/store.ts';
import { seal, unseal } from './sealed-answer.ts';

/** A request with an idempotency key, so that sending it again does nothing twice. */
export type KeyedRequest = {
  accountId: string;
  method: string;
  /** The route's template, not the requested path. */
  route: string;
  key: string;
  credential: string;
  /** Everything that must be equal for it to count as the same request. */
  fingerprint: Buffer;
  requestId: string;
};

export type KeptAnswer = { status: number; headers: Record<string, string>; body: Buffer };

/** Without a body if that was too long to be collected. */
export type NewAnswer = Omit<KeptAnswer, 'body'> & { body: Buffer | undefined };

export type Attempt = { scopeHash: Buffer; secret: string };

export type Beginning =
  { kind: 'run'; attempt: Attempt } | { kind: 'replay'; answer: KeptAnswer; requestId: string };

export const KEPT_BYTES_MAX = 1024 * 1024;
const KEPT_MS = 24 * 3600 * 1000;

type Row = {
  fingerprint: Buffer;
  state: 'running' | 'done';
  boot_id: string;
  request_id: string;
  status: number | null;
  headers: string | null;
  body_sealed: Buffer | null;
};

type Options = {
  store: Store;
  clock: Clock;
  bootId: string;
  /** For a request whose response an earlier run of the daemon may not have sent, before it runs again. */
  onResume?: (requestId: string) => void;
};

export type Idempotency = ReturnType<typeof createIdempotency>;

/**
 * One response for a request that is sent twice, for a day, even across restarts. Only requests that took effect are
 * kept.
 */
export function createIdempotency({ store, clock, bootId, onResume = () => undefined }: Options) {
  function begin(request: KeyedRequest): Beginning {
    const { fingerprint, requestId } = request;
    const attempt: Attempt = { scopeHash: hashScope(request), secret: secretOf(request) };
    const now = clock.now();
    return store.transaction(() => {
      store.prepare('DELETE FROM idempotency WHERE expires_at <= ?').run(now);
      const row = store.prepare<Row>('SELECT * FROM idempotency WHERE scope_hash = ?').get(attempt.scopeHash);
      if (row === undefined) {
        const { scopeHash } = attempt;
        const times = { now, expiresAt: now + KEPT_MS };
        store.prepare(INSERT).run({ scopeHash, fingerprint, bootId, requestId, ...times });
        return { kind: 'run', attempt };
      }
      if (!row.fingerprint.equals(fingerprint)) throw keyReused();
      if (row.state === 'done') return replay(row, attempt);
      if (row.boot_id === bootId) throw inProgress();
      onResume(row.request_id);
      store.prepare(RESUME).run({ scopeHash: attempt.scopeHash, bootId, requestId });
      return { kind: 'run', attempt };
    });
  }

  /** Belongs in the transaction of the effect, if there is one. A long response is remembered without its body. */
  function complete({ scopeHash, secret }: Attempt, { status, headers, body }: NewAnswer): void {
    const kept = body && body.length <= KEPT_BYTES_MAX ? seal(body, secret) : null;
    store.prepare(COMPLETE).run({ scopeHash, status, headers: JSON.stringify(headers), kept });
  }

  /** Nothing took effect, so the same request may be tried again. */
  function abandon({ scopeHash }: Attempt): void {
    store.prepare("DELETE FROM idempotency WHERE scope_hash = ? AND state = 'running'").run(scopeHash);
  }

  return { begin, complete, abandon };
}

function replay(row: Row, { secret }: Attempt): Beginning {
  const body = row.body_sealed && unseal(row.body_sealed, secret);
  if (!body) throw unavailable(row.body_sealed === null);
  const headers = JSON.parse(row.headers ?? '{}') as Record<string, string>;
  return {
    kind: 'replay',
    answer: { status: row.status ?? 200, headers, body },
    requestId: row.request_id,
  };
}

function hashScope({ accountId, method, route, key }: KeyedRequest): Buffer {
  return createHash('sha256').update([accountId, method, route, key].join('\0')).digest();
}

function secretOf({ key, credential }: KeyedRequest): string {
  return `${key}\0${credential}`;
}

function keyReused(): Failure {
  return new Failure(
    'idempotency_key_reused',
    'This Idempotency-Key was used for another request. Use a new key for each request.',
  );
}

function inProgress(): Failure {
  return new Failure(
    'idempotency_in_progress',
    'The request with this Idempotency-Key is still running. Try again when it is done.',
  );
}

function unavailable(isTooLong: boolean): Failure {
  return new Failure(
    'idempotency_response_unavailable',
    isTooLong
      ? `The request with this Idempotency-Key succeeded, but its response was too large to keep (over ${KEPT_BYTES_MAX} bytes).`
      : 'The request with this Idempotency-Key succeeded with another credential; only that one can read its response.',
  );
}

const INSERT = `
  INSERT INTO idempotency(scope_hash, fingerprint, state, boot_id, request_id, created_at, expires_at)
  VALUES(@scopeHash, @fingerprint, 'running', @bootId, @requestId, @now, @expiresAt)`;

const RESUME = `
  UPDATE idempotency SET boot_id = @bootId, request_id = @requestId
  WHERE scope_hash = @scopeHash AND state = 'running' AND boot_id <> @bootId`;

const COMPLETE = `
  UPDATE idempotency SET state = 'done', status = @status, headers = @headers, body_sealed = @kept
  WHERE scope_hash = @scopeHash AND state = 'running'`;
