import type { Setting } from '../../../../../src/api/management/settings.ts';

export function textOf({ value, is_secret: isSecret, is_set: isSet }: Setting): string {
  if (isSecret) return isSet ? 'set, not shown' : 'not set';
  if (value === '' || (Array.isArray(value) && value.length === 0)) return 'none';
  if (Array.isArray(value)) return value.map(String).join(', ');
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value)
      .map(([key, each]) => `${key} ${String(each)}`)
      .join(', ');
  }
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** As it is typed. */
export function draftOf({ value }: Setting): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
