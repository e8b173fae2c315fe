import { fitsSomeCall, type Trigger } from '../calls/call-trigger.ts';
import { createStopMatcher, type Stop } from '../stop-matcher.ts';

type Options = {
  /** Everything that ends the reasoning. */
  tags: readonly string[];
  /** Those that end it only if a call follows. */
  triggers: ReadonlyMap<string, Trigger>;
  names: readonly string[];
  /** A reasoning block that was already open continues, so whitespace may come first. */
  isBegun: boolean;
};

type Read = { shown: string; end?: Stop & { trigger?: Trigger } };

/** Emits reasoning without surrounding whitespace. It may mention calls, so only the complete head of one ends it. */
export function createReasoningParser({ tags, triggers, names, isBegun }: Options) {
  const ends = createStopMatcher(tags);
  let maybe: { trigger: Trigger; text: string } | undefined;
  let blanks = '';
  let isEmpty = !isBegun;

  function trim(text: string): string {
    const all = isEmpty ? (blanks + text).trimStart() : blanks + text;
    const shown = all.trimEnd();
    blanks = all.slice(shown.length);
    isEmpty &&= shown === '';
    return shown;
  }

  function withMore(shown: string, rest: string): Read {
    const more = push(rest);
    return { ...more, shown: shown + more.shown };
  }

  function settle({ trigger, text }: NonNullable<typeof maybe>): Read {
    const fit = fitsSomeCall(trigger.lead + trigger.text + text, trigger.formats, names);
    if (fit === 'open') return { shown: '' };
    maybe = undefined;
    if (fit === undefined) return withMore(trim(trigger.text), text);
    return { shown: '', end: { found: trigger.text, rest: text, trigger } };
  }

  function push(text: string): Read {
    if (maybe) {
      maybe.text += text;
      return settle(maybe);
    }
    const { text: thought, stop } = ends.push(text);
    const shown = trim(thought);
    const trigger = stop && triggers.get(stop.found);
    if (!stop || !trigger) return { shown, ...(stop && { end: stop }) };
    maybe = { trigger, text: '' };
    return withMore(shown, stop.rest);
  }

  return { push, flush: () => trim(maybe ? maybe.trigger.text + maybe.text : ends.flush()) };
}
