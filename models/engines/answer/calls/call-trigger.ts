import type { CallFormat } from './call-format.ts';
import { ID_MARK, INDEX_MARK, matchText, withName } from './call-text.ts';

/** What announces a call. */
export type Trigger = {
  text: string;
  /** Any of these may follow. */
  formats: readonly CallFormat[];
  /** The part of the format before it, which the model omitted. */
  lead: string;
  /** Recognised only at the start of the answer. */
  isAtStart: boolean;
};

/** Some formats have nothing around the call itself, which must then start the answer. */
export function triggersOf(format: CallFormat, names: readonly string[]): Trigger[] {
  const before = format.before.trimStart();
  if (format.trigger !== undefined) {
    return [{ text: format.trigger, formats: [format], lead: '', isAtStart: format.isAtStart ?? false }];
  }
  const json = before.search(/[[{][\s[{]*"/);
  const mark = markOf(json === -1 ? before : before.slice(0, json), before);
  const isAtStart = format.isAtStart ?? mark === '';
  const whole = { text: mark === '' ? before : mark, formats: [format], lead: '', isAtStart };
  const tag = format.parameters && /^<[^<>]+>/.exec(mark)?.[0];
  if (tag === undefined) return [whole];
  const inner = mark.slice(tag.length).trimStart();
  const opened = { ...whole, text: tag };
  if (!inner.startsWith('<')) return [opened];
  // Models that write arguments between tags sometimes forget the outer tag. The inner one is a call only with a
  // name.
  const lead = before.slice(0, before.indexOf(inner));
  const heads = names.map((name) => (inner + name + withName(format.middle, name)).trimEnd());
  return [opened, ...heads.map((text) => ({ ...whole, text, lead }))];
}

const MADE_UP = new RegExp(`[${ID_MARK}${INDEX_MARK}]`);

/**
 * Up to the first placeholder. A tag that is a plain word could be part of any text, so it includes the bracket after
 * it.
 */
function markOf(text: string, before: string): string {
  const mark = (text.split(MADE_UP)[0] ?? '').trim();
  return /^\w+$/.test(mark) ? before.slice(0, before.indexOf(mark) + mark.length + 1).trimStart() : mark;
}

/** The same text may start several formats. */
export function triggersByText(triggers: readonly Trigger[]): Map<string, Trigger> {
  const known = new Map<string, Trigger>();
  for (const trigger of triggers) {
    const before = known.get(trigger.text);
    const formats = before ? [...before.formats, ...trigger.formats] : trigger.formats;
    known.set(trigger.text, { ...trigger, formats });
  }
  return known;
}

/**
 * Whether this may be the head of a call: it may become one ('open'), it is a complete one ('whole'), or its
 * arguments have started ('beyond').
 */
export function fitsSomeCall(
  written: string,
  formats: readonly CallFormat[],
  names: readonly string[],
): 'open' | 'whole' | 'beyond' | undefined {
  const fits = formats.flatMap(({ before, middle }) =>
    names.map((name) => {
      const match = matchText(before.trimStart() + name + withName(middle, name), written);
      if (match?.length === undefined) return match && 'open';
      return written.slice(match.length).trim() === '' ? 'whole' : 'beyond';
    }),
  );
  return (['beyond', 'whole', 'open'] as const).find((fit) => fits.includes(fit));
}
