import type { CallFormat } from './calls/call-format.ts';
import type { CallableTools, CallPiece } from './calls/call-parser.ts';
import { fitsSomeCall, type Trigger } from './calls/call-trigger.ts';
import { locateTags } from './tag-positions.ts';
import { createOpenCall } from './calls/open-call.ts';
import { createOpening } from './opening.ts';
import { createStopMatcher } from './stop-matcher.ts';
import type { AnswerTags, ReasoningTags } from './reasoning/reasoning-tags.ts';
import { createReasoningParser } from './reasoning/reasoning-parser.ts';

export type AnswerPiece = { type: 'reasoning' | 'text'; text: string } | CallPiece;

export type ParserOptions = {
  /** Undefined where no thought can come. */
  thinking:
    | (Pick<ReasoningTags, 'begin' | 'end' | 'isAnywhere'> & {
        /** What is put in to bring a thought to its end. */
        closing: string;
        startsInside: boolean;
      })
    | undefined;
  /** Of what is said. */
  tags?: AnswerTags | undefined;
  /** What was begun already, so that nothing that may only begin an answer can come any more. */
  continues?: 'thought' | 'answer' | undefined;
  /** In each of these formats a call may come. */
  calls: (CallableTools & { formats: readonly CallFormat[] }) | undefined;
  stop: readonly string[];
  /** Told when a thought is over. */
  onAnswer: () => void;
  /** Told when a call begins, with what of it has come already. */
  onCall: (written: string) => void;
};

type Phase = 'start' | 'thought' | 'said' | 'call' | 'behind' | 'over';

export type AnswerParser = ReturnType<typeof createAnswerParser>;

/** Tells thoughts, words and calls of tools apart in what a model writes, whatever the pieces it comes in. */
export function createAnswerParser(options: ParserOptions) {
  const { thinking, tags = {}, calls, stop, continues } = options;
  const places = locateTags(options);
  const words = createStopMatcher([...stop, ...places.inWords]);
  const behind = createStopMatcher([...places.amidWords.keys()]);
  const thought = createReasoningParser({
    tags: places.inThought,
    triggers: places.withinThought,
    names: calls?.names ?? [],
    isBegun: continues === 'thought',
  });
  let opening = createOpening(places.openings, false);
  let phase: Phase = thinking?.startsInside ? 'thought' : continues === 'answer' ? 'said' : 'start';
  let call: ReturnType<typeof createOpenCall> | undefined;
  /** Another message of the turn begins, and one without a known mark is for nobody here. */
  let isNextMessage = false;
  let count = 0;
  let pieces: AnswerPiece[] = [];
  let stopText: string | undefined;

  /** Each reads what it can and gives back what belongs to the next phase. */
  const read: Record<Phase, (text: string) => string | undefined> = {
    start: readStart,
    thought: readThought,
    said: readSaid,
    call: readCall,
    behind: readBehind,
    over: () => undefined,
  };

  function readStart(text: string): string | undefined {
    const opened = opening.push(text);
    if (!opened) return undefined;
    const { found, rest } = opened;
    const trigger = places.atStart.get(found) ?? (isNextMessage ? places.amidWords.get(found) : undefined);
    if (trigger) return beginCall(trigger, rest);
    if (found !== '' && found === tags.skipped) return begin(rest, places.openings);
    if (found !== '' && found === thinking?.end) return endThought(rest, 'start');
    const isThought = found !== '' && found === thinking?.begin;
    if (isNextMessage && !isThought && found !== '') options.onAnswer();
    const isForNobody = isNextMessage && found === '';
    isNextMessage = false;
    return goOn(isThought ? 'thought' : isForNobody ? 'behind' : 'said', rest);
  }

  function readThought(text: string): string | undefined {
    const { shown, end } = thought.push(text);
    emit('reasoning', shown);
    if (!end) return undefined;
    if (end.trigger) return beginCall(end.trigger, end.rest);
    if (end.found === tags.turn) return beginMessage(end.rest);
    return endThought(end.rest, end.found === thinking?.end ? 'start' : 'said');
  }

  function readSaid(text: string): string | undefined {
    const { text: shown, stop: end } = words.push(text);
    emit('text', shown);
    if (!end) return undefined;
    const { found, rest } = end;
    const trigger = places.amidWords.get(found);
    if (trigger) return beginCall(trigger, rest);
    if (found === tags.turn) return beginMessage(rest);
    if (found === tags.answerEnd) return goOn('behind', rest);
    if (places.isTag(found)) return goOn(found === thinking?.begin ? 'thought' : 'said', rest);
    phase = 'over';
    stopText = found;
    return undefined;
  }

  /** Behind an answer that has a mark for its end only calls come. */
  function readBehind(text: string): string | undefined {
    const { stop: end } = behind.push(text);
    const trigger = end && places.amidWords.get(end.found);
    return trigger && beginCall(trigger, end.rest);
  }

  function readCall(text: string): string | undefined {
    const { pieces: more, rest, words: said = '' } = call?.push(text) ?? { pieces: [] };
    pieces.push(...more);
    if (rest === undefined) return undefined;
    count = call?.count() ?? count;
    call = undefined;
    emit('text', said);
    return said === '' ? begin(rest, []) : goOn('said', rest);
  }

  function goOn(next: Phase, rest: string): string {
    phase = next;
    return rest;
  }

  /** Whatever of these may come next. */
  function begin(rest: string, openings: readonly string[]): string {
    opening = createOpening(openings, true);
    return goOn('start', rest);
  }

  function beginMessage(rest: string): string {
    isNextMessage = true;
    return begin(rest, [...places.openings, ...places.amidWords.keys()]);
  }

  function endThought(rest: string, next: 'start' | 'said'): string {
    options.onAnswer();
    return next === 'start' ? begin(rest, places.openingsBehind) : goOn(next, rest);
  }

  /** What only looks like the beginning of a call is words. */
  function beginCall(trigger: Trigger, rest: string): string {
    const begun = trigger.lead + trigger.text + rest;
    const fit = calls && fitsSomeCall(begun, trigger.formats, calls.names);
    isNextMessage = false;
    if (!calls || fit === undefined) {
      emit('text', trigger.text);
      return goOn('said', rest);
    }
    // What has gone on into its arguments already can not be held to a grammar any more.
    if (fit !== 'beyond') options.onCall(begun);
    call = createOpenCall(trigger, calls, count);
    return goOn('call', begun);
  }

  function emit(type: 'reasoning' | 'text', text: string): void {
    if (text !== '') pieces.push({ type, text });
  }

  return {
    /** The stop text that ended it, if one did. */
    stopText: () => stopText,
    phase: () => phase,
    calls: () => call?.count() ?? count,
    push(text: string): AnswerPiece[] {
      pieces = [];
      for (let rest: string | undefined = text; rest !== undefined;) rest = read[phase](rest);
      return pieces;
    },
    /** What was held back and turned out to be nothing else. */
    flush(): AnswerPiece[] {
      pieces = [];
      if (phase === 'thought') emit('reasoning', thought.flush());
      if (phase === 'start') emit('text', opening.flush());
      if (phase === 'said') emit('text', words.flush());
      return pieces;
    },
  };
}
