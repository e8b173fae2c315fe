import { isIP } from 'node:net';
import { parseDuration } from '../base/units.ts';

/** How a value from the environment or the config file is parsed, and what is valid in a user's words. */
export type Shape = {
  /** Undefined when the value is invalid. */
  parse: (value: unknown) => unknown;
  expects?: string;
  /** Why a value that looks valid is not. */
  objection?: (value: unknown) => string | undefined;
  isList?: true;
};

export const SWITCH: Shape = { parse: asBoolean, expects: 'true or false' };
export const DURATION: Shape = {
  parse: asDuration,
  expects: 'a duration such as 30s, 10m or 1h30m, or forever',
};
export const ADDRESS = addressLike('https://host.example');
export const PUBLIC_KEY = { parse: asPublicKey, expects: 'an ed25519 public key of 32 bytes in base64' };
export const NETWORK = { parse: asCidr, expects: 'a network such as 10.0.0.0/8' };
export const TEXTS: Shape = {
  parse: asTexts,
  expects: 'a JSON list of strings, such as ["one","two"]',
  isList: true,
};

export function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER) {
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  return { parse: (value: unknown) => asInteger(value, min, max), expects: `a whole number ${range}` };
}

export function addressLike(example: string) {
  return { parse: asUrl, expects: `an address such as ${example}` };
}

export function oneOf(choices: readonly string[]): Shape {
  return {
    parse: (value) => choices.find((choice) => choice === value),
    expects: `one of ${choices.join(', ')}`,
  };
}

export function listOf({ parse, expects, objection }: Shape & { expects: string }): Shape {
  return {
    parse: (value) => asList(value, parse),
    expects: `a comma-separated list, each ${expects}`,
    ...(objection && { objection: (value) => itemsOf(value)?.map(objection).find(Boolean) }),
    isList: true,
  };
}

export function orAuto({ parse, expects }: Shape & { expects: string }): Shape {
  return { parse: (value) => (value === 'auto' ? value : parse(value)), expects: `auto, or ${expects}` };
}

/** Appended to a rejection: ` It may be a whole number from 0 to 65535.` */
export function expectation({ expects, objection }: Shape, value: unknown): string {
  const why = objection?.(value);
  return (why === undefined ? '' : ` ${why}`) + (expects === undefined ? '' : ` It must be ${expects}.`);
}

export function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function asUrl(value: unknown): string | undefined {
  return typeof value === 'string' && URL.canParse(value) ? value : undefined;
}

function asPublicKey(value: unknown): string | undefined {
  return typeof value === 'string' && /^[A-Za-z0-9+/]{43}=$/.test(value) ? value : undefined;
}

function asInteger(value: unknown, min: number, max: number): number | undefined {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return Number.isInteger(number) && (number as number) >= min && (number as number) <= max
    ? (number as number)
    : undefined;
}

function asList<Item>(value: unknown, asItem: (each: unknown) => Item | undefined): Item[] | undefined {
  const items = itemsOf(value)?.map(asItem);
  return items?.includes(undefined) ? undefined : (items as Item[] | undefined);
}

/** An array in the file; comma-separated in the environment. */
function itemsOf(value: unknown): unknown[] | undefined {
  if (typeof value === 'string') return value.split(',').map((item) => item.trim());
  return Array.isArray(value) ? value : undefined;
}

/** An array of strings; JSON in the environment, since texts contain commas. */
function asTexts(value: unknown): string[] | undefined {
  const given = typeof value === 'string' ? asObject(value) : value;
  return Array.isArray(given) && given.every((each) => typeof each === 'string') ? given : undefined;
}

function asCidr(value: unknown): string | undefined {
  const [, address = '', bits = ''] = /^([0-9a-f.:]+)\/(\d{1,3})$/i.exec(String(value)) ?? [];
  const bitsMax = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return bits !== '' && Number(bits) <= bitsMax ? String(value) : undefined;
}

function asBoolean(value: unknown): boolean | undefined {
  if (value === true || ['true', '1', 'on'].includes(value as string)) return true;
  if (value === false || ['false', '0', 'off'].includes(value as string)) return false;
  return undefined;
}

function asDuration(value: unknown): number | undefined {
  return typeof value === 'string' ? parseDuration(value) : undefined;
}

export function asObject(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
