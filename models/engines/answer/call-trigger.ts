import type { CallFormat } from './call-format.ts';

/** By what a call is known. */
export type Trigger = {
  text: string;
  format: CallFormat;
  /** What of the format stands before it, and was left out where it came alone. */
  lead: string;
  /** Known only where it begins the answer. */
  isAtStart: boolean;
};

/** Some formats have nothing but the call itself, which must then begin the answer. */
export function triggersOf(format: CallFormat, names: readonly string[]): Trigger[] {
  const before = format.before.trimStart();
  const json = before.search(/[[{][\s[{]*"/);
  const mark = (json === -1 ? before : before.slice(0, json)).trim();
  const isAtStart = format.isAtStart ?? mark === '';
  const whole = { text: mark === '' ? before : mark, format, lead: '', isAtStart };
  const tag = format.parameters && /^<[^<>]+>/.exec(mark)?.[0];
  if (tag === undefined) return [whole];
  const inner = mark.slice(tag.length).trimStart();
  const opened = { ...whole, text: tag };
  if (!inner.startsWith('<')) return [opened];
  // Models that write arguments between tags forget the outer one at times. Only with a name the inner one is a call.
  const lead = before.slice(0, before.indexOf(inner));
  const heads = names.map((name) => (inner + name + format.middle).trimEnd());
  return [opened, ...heads.map((text) => ({ ...whole, text, lead }))];
}

export function fitsSomeCall(
  written: string,
  { before, middle }: CallFormat,
  names: readonly string[],
): boolean {
  return names.some((name) => (before.trimStart() + name + middle).startsWith(written));
}
