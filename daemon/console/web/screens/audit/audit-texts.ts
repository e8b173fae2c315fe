import type { AuditRecord } from '../../../../../src/api/account/audit.ts';
import { browserName } from '../../data/browser-name.ts';

export function byText({ actor: { kind, id, name }, client }: AuditRecord): string {
  if (kind === 'root_token') return client === null ? 'command line' : 'root token';
  if (kind === 'session') return name === null ? 'a session' : browserName(name);
  if (kind === 'operator') return 'operator of the machine';
  return name ?? id ?? kind;
}

export function toneOf({ outcome }: AuditRecord): string {
  if (outcome === 'succeeded') return 'good';
  return outcome === 'started' ? '' : 'bad';
}

export type Change = { name: string; before: string; after: string; isChanged: boolean };

/** The fields before and after, one below the other. */
export function changesOf({ before, after }: Pick<AuditRecord, 'before' | 'after'>): Change[] {
  const [old, now] = [fieldsOf(before), fieldsOf(after)];
  return [...new Set([...Object.keys(old), ...Object.keys(now)])].map((name) => {
    const [was, is] = [textOf(old[name]), textOf(now[name])];
    return { name, before: was, after: is, isChanged: was !== is };
  });
}

function fieldsOf(state: unknown): Record<string, unknown> {
  if (state === null || state === undefined) return {};
  return typeof state === 'object' && !Array.isArray(state)
    ? (state as Record<string, unknown>)
    : { value: state };
}

function textOf(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
