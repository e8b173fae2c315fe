import { toIso, type Clock } from '../base/clock.ts';
import { Failure } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import type { Guard } from '../net/guard.ts';
import { OutboundError } from '../net/outbound-error.ts';
import type { Seal } from '../base/sealed.ts';
import type { Store } from '../store/store.ts';
import { newWebhookSecret } from '../base/webhook-signature.ts';
import { toRecord, type EndpointRow } from './endpoint-row.ts';

export const ENDPOINTS_MAX = 100;
export const SECRET_OVERLAP_MS = 24 * 3_600_000;

export type Endpoints = ReturnType<typeof createEndpoints>;

export type NewEndpoint = { accountId: string; name: string; url: string; events: readonly string[] };
export type EndpointChanges = { name?: string; url?: string; events?: readonly string[]; enabled?: boolean };

export type EndpointsOptions = {
  store: Store;
  seal: Seal;
  guard: Guard;
  clock: Clock;
  /** Called before and after the subscriptions change. */
  beforeChange: () => void;
  onChange: () => void;
};

/** Webhook endpoints: their subscriptions, and the secrets that sign their deliveries. */
export function createEndpoints({ store, seal, guard, clock, beforeChange, onChange }: EndpointsOptions) {
  async function create({ accountId, name, url, events }: NewEndpoint) {
    const checked = await checkUrl(guard, url);
    const now = clock.now();
    const id = newId('wh', now);
    const secret = newWebhookSecret();
    const { changes } = store.prepare(INSERT_BELOW_LIMIT).run({
      id,
      accountId,
      name,
      url: checked,
      events: JSON.stringify([...new Set(events)]),
      secret: seal.seal(secret, id),
      now,
    });
    if (changes === 0) throw limitReached();
    return { webhook: get(accountId, id), secret };
  }

  function list(accountId: string) {
    return store.prepare<EndpointRow>(LIST).all(accountId, ENDPOINTS_MAX).map(toRecord);
  }

  function get(accountId: string, id: string) {
    return toRecord(rowOf(accountId, id));
  }

  async function update(accountId: string, id: string, { name, url, events, enabled }: EndpointChanges) {
    rowOf(accountId, id);
    const checked = url === undefined ? null : await checkUrl(guard, url);
    beforeChange();
    const row = store.prepare<EndpointRow>(UPDATE).get({
      id,
      accountId,
      name: name ?? null,
      url: checked,
      events: events === undefined ? null : JSON.stringify([...new Set(events)]),
      enabled: enabled === undefined ? null : Number(enabled),
      now: clock.now(),
    });
    if (!row) throw notFound(id);
    onChange();
    return toRecord(row);
  }

  function remove(accountId: string, id: string): void {
    const now = clock.now();
    const { changes } = store
      .prepare(`${FORGET} WHERE id = @id AND account_id = @accountId AND ${LISTED}`)
      .run({
        id,
        accountId,
        now,
      });
    if (changes === 0) throw notFound(id);
    onChange();
  }

  /** Both secrets sign for a day, so that the receiver has time to switch. */
  function rotate(accountId: string, id: string) {
    const secret = newWebhookSecret();
    const now = clock.now();
    const until = now + SECRET_OVERLAP_MS;
    const row = store
      .prepare<EndpointRow>(ROTATE)
      .get({ id, accountId, secret: seal.seal(secret, id), until, now });
    if (!row) throw notFound(id);
    return { webhook: toRecord(row), secret, previous_secret_expires_at: toIso(until) };
  }

  function rowOf(accountId: string, id: string): EndpointRow {
    const row = store.prepare<EndpointRow>(GET).get(id, accountId);
    if (!row) throw notFound(id);
    return row;
  }

  /** Newest first: one, or two during a rotation. */
  function secretsOf({ id, secret, previous_secret: previous, previous_secret_until: until }: EndpointRow) {
    const isOverlapping = previous !== null && until !== null && until > clock.now();
    return [seal.open(secret, id), ...(isOverlapping ? openPrevious(previous, id) : [])];
  }

  /** After a restore without secrets, the old one cannot be decrypted, and the new one alone signs. */
  function openPrevious(previous: Buffer, id: string): string[] {
    try {
      return [seal.open(previous, id)];
    } catch (error) {
      if (error instanceof Failure && error.code === 'seal_broken') return [];
      throw error;
    }
  }

  return { create, list, get, update, remove, rotate, rowOf, secretsOf };
}

/** The normalized URL. It must be one that the guard would allow today. */
async function checkUrl(guard: Guard, url: string): Promise<string> {
  try {
    return (await guard.check(url)).href;
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    throw new Failure(
      'invalid_webhook_url',
      `This URL ${error.message}. A webhook URL must be a public https:// address; hosts of private networks are ` +
        'allowed by webhooks_allow_cidrs in the configuration file.',
      { param: 'url' },
    );
  }
}

const LISTED = 'listener_port IS NULL AND deleted_at IS NULL';

const INSERT_BELOW_LIMIT = `
  INSERT INTO webhook_endpoints(id, account_id, name, url, events, secret, events_after, created_at, updated_at)
  SELECT @id, @accountId, @name, @url, @events, @secret, (SELECT coalesce(max(sequence), 0) FROM events), @now, @now
  WHERE (SELECT count(*) FROM webhook_endpoints WHERE account_id = @accountId AND ${LISTED}) < ${ENDPOINTS_MAX}`;

const LIST = `
  SELECT * FROM webhook_endpoints WHERE account_id = ? AND ${LISTED} ORDER BY created_at DESC, rowid DESC LIMIT ?`;

const GET = `SELECT * FROM webhook_endpoints WHERE id = ? AND account_id = ? AND ${LISTED}`;

/** Re-enabling an endpoint resets its failure count. */
const UPDATE = `
  UPDATE webhook_endpoints SET
    name = coalesce(@name, name), url = coalesce(@url, url), events = coalesce(@events, events),
    is_enabled = coalesce(@enabled, is_enabled),
    disabled_reason = CASE WHEN @enabled = 1 THEN NULL ELSE disabled_reason END,
    failures = CASE WHEN @enabled = 1 AND is_enabled = 0 THEN 0 ELSE failures END,
    failing_since = CASE WHEN @enabled = 1 AND is_enabled = 0 THEN NULL ELSE failing_since END,
    failing_since_online_ms = CASE WHEN @enabled = 1 AND is_enabled = 0 THEN NULL ELSE failing_since_online_ms END,
    updated_at = max(@now, updated_at + 1)
  WHERE id = @id AND account_id = @accountId AND ${LISTED} RETURNING *`;

/** Its log is deleted later, in small batches; its secrets at once. */
export const FORGET = `
  UPDATE webhook_endpoints SET deleted_at = @now, is_enabled = 0, secret = x'', previous_secret = NULL`;

const ROTATE = `
  UPDATE webhook_endpoints SET previous_secret = secret, previous_secret_until = @until, secret = @secret,
    updated_at = max(@now, updated_at + 1)
  WHERE id = @id AND account_id = @accountId AND ${LISTED} RETURNING *`;

function notFound(id: string): Failure {
  return new Failure('not_found', `There is no webhook "${id}". List them: askd webhooks list`, {
    param: 'id',
  });
}

function limitReached(): Failure {
  return new Failure(
    'webhook_limit_reached',
    `There can be at most ${ENDPOINTS_MAX} webhooks. Remove one: askd webhooks rm ID`,
  );
}
