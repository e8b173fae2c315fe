import { InvalidArgumentError } from 'commander';
import { parseDuration } from '../../src/base/units.ts';

/** Parsers for option values. commander adds the name of the option. */
export function integerBetween(min: number, max: number) {
  return (text: string): number => {
    const value = Number(text);
    if (/^-?\d+$/.test(text) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  };
}

export function numberBetween(min: number, max: number) {
  return (text: string): number => {
    const value = Number(text);
    if (text.trim() !== '' && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It must be a number from ${min} to ${max}.`);
  };
}

export function commaList(text: string): string[] {
  const items = text.split(',').map((item) => item.trim());
  if (items.every((item) => item !== '')) return items;
  throw new InvalidArgumentError('It must be a comma-separated list of names.');
}

/** For repeatable options. */
export function collect(text: string, earlier: readonly string[] = []): string[] {
  return [...earlier, text];
}

/** Any date that JavaScript can parse, as a UTC timestamp. */
export function timestamp(text: string): string {
  const epochMs = Date.parse(text);
  if (!Number.isNaN(epochMs)) return new Date(epochMs).toISOString();
  throw new InvalidArgumentError('It must be a date such as 2027-01-31T12:00:00Z.');
}

/** A duration ago, or a point in time. */
export function past(text: string): number {
  const ago = parseDuration(text);
  const at = ago === undefined ? Date.parse(text) : Date.now() - ago;
  if (!Number.isNaN(at)) return at;
  throw new InvalidArgumentError('It must be 10m, 2h, or a date such as 2027-01-31T12:00:00Z.');
}

export function oneOf<const Name extends string>(names: readonly Name[]) {
  return (text: string): Name => {
    const found = names.find((name) => name === text);
    if (found !== undefined) return found;
    throw new InvalidArgumentError(`It must be one of ${names.join(', ')}.`);
  };
}
