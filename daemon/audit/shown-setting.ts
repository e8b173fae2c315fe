import { RULES, type SettingName } from '../../src/config/config.ts';

const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\//i;

/**
 * A setting as a record shows it. For a secret, only that it is set; for text that a person wrote, only its length;
 * for a URL only the host, since a path, a user or a query can be a secret too.
 */
export function shownSetting(name: SettingName, value: unknown): unknown {
  if (RULES[name].isSecret) return value === '' ? null : 'set';
  if (name === 'pinnedSystemPrompts') return Array.isArray(value) ? `${value.length} texts` : 'set';
  return shown(value);
}

function shown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shown);
  return typeof value === 'string' && ADDRESS.test(value) ? shownAddress(value) : value;
}

export function shownAddress(text: string): string {
  if (!URL.canParse(text)) return 'set';
  const { protocol, host, pathname, search, hash, username, password } = new URL(text);
  const isBare = [search, hash, username, password].every((part) => part === '') && pathname.length <= 1;
  return `${protocol}//${host}${isBare ? '' : '/…'}`;
}
