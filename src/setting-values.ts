import { isIP } from 'node:net';
import { parseDuration } from './duration.ts';

/** How a value of the environment or the config file is read: undefined when it is not usable. */
export function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function asUrl(value: unknown): string | undefined {
  return typeof value === 'string' && URL.canParse(value) ? value : undefined;
}

export function asInteger(value: unknown, min: number, max: number): number | undefined {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return Number.isInteger(number) && (number as number) >= min && (number as number) <= max
    ? (number as number)
    : undefined;
}

/** An array in the file; in the environment, text with commas. */
export function asList<Item>(
  value: unknown,
  asItem: (each: unknown) => Item | undefined,
): Item[] | undefined {
  const each: unknown[] | undefined =
    typeof value === 'string'
      ? value.split(',').map((item) => item.trim())
      : Array.isArray(value)
        ? value
        : undefined;
  const items = each?.map(asItem);
  return items?.includes(undefined) ? undefined : (items as Item[] | undefined);
}

/** An array of texts; in the environment as JSON, since texts have commas. */
export function asTexts(value: unknown): string[] | undefined {
  const given = typeof value === 'string' ? asObject(value) : value;
  return Array.isArray(given) && given.every((each) => typeof each === 'string') ? given : undefined;
}

export function asCidr(value: unknown): string | undefined {
  const [, address = '', bits = ''] = /^([0-9a-f.:]+)\/(\d{1,3})$/i.exec(String(value)) ?? [];
  const bitsMax = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return bits !== '' && Number(bits) <= bitsMax ? String(value) : undefined;
}

export function asBoolean(value: unknown): boolean | undefined {
  if (value === true || ['true', '1', 'on'].includes(value as string)) return true;
  if (value === false || ['false', '0', 'off'].includes(value as string)) return false;
  return undefined;
}

export function asDuration(value: unknown): number | undefined {
  return typeof value === 'string' ? parseDuration(value) : undefined;
}

export function asObject(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
