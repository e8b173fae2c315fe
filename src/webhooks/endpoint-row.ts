import { toIso } from '../base/clock.ts';

export type EndpointRow = {
  id: string;
  account_id: string;
  name: string;
  url: string;
  events: string;
  is_enabled: number;
  disabled_reason: 'gone' | 'failing' | null;
  secret: Buffer;
  previous_secret: Buffer | null;
  previous_secret_until: number | null;
  listener_port: number | null;
  failures: number;
  failing_since: number | null;
  last_success_at: number | null;
  created_at: number;
  updated_at: number;
};

/** The endpoint as its owner sees it. */
export function toRecord(row: EndpointRow) {
  return {
    id: row.id,
    name: row.name,
    url: row.url,
    events: JSON.parse(row.events) as string[],
    enabled: row.is_enabled === 1,
    created_at: toIso(row.created_at),
    updated_at: toIso(row.updated_at),
    disabled_reason: row.disabled_reason,
    failures: row.failures,
    failing_since: isoOrNull(row.failing_since),
    last_success_at: isoOrNull(row.last_success_at),
  };
}

export function isoOrNull(epochMs: number | null): string | null {
  return epochMs === null ? null : toIso(epochMs);
}
