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
  /** Undefined if the model cannot reason. */
  thinking:
    | (Pick<ReasoningTags, 'begin' | 'end' | 'isAnywhere'> & {
        /** The text that is inserted to end the reasoning. */
        closing: string;
        startsInside: boolean;
      })
    | undefined;
  /** Tags of the answer itself. */
  tags?: AnswerTags | undefined;
  /** The part that was already started, so that nothing that must be at the start of an answer can follow. */
  continues?: 'thought' | 'answer' | undefined;
  /** The formats in which a call may come. */
  calls: (CallableTools & { formats: readonly CallFormat[] }) | undefined;
  stop: readonly string[];
  /** Called when the reasoning ends. */
  onAnswer: () => void;
  /** Called when a call starts, with the part that was already written. */
  onCall: (written: string) => void;
};

type Phase = 'start' | 'thought' | 'said' | 'call' | 'behind' | 'over';

export type AnswerParser = ReturnType<typeof createAnswerParser>;

/** Splits a model's output into reasoning, content and tool calls, however it is chunked. */
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
  /** Another message of the turn follows; one without a known tag is ignored. */
  let isNextMessage = false;
  let count = 0;
  let pieces: AnswerPiece[] = [];
  let stopText: string | undefined;

  /** Each consumes what it can and returns what belongs to the next phase. */
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

  /** After an answer with an end tag, only calls can follow. */
  function readBehind(text: string): string | undefined {
    const { stop: end } = behind.push(text);
    const trigger = end && places.amidWords.get(end.found);
    return trigger && beginCall(trigger, end.rest);
  }

  function readCall(text: string): string | undefined {
    const { pieces: more, rest, words: content = '' } = call?.push(text) ?? { pieces: [] };
    pieces.push(...more);
    if (rest === undefined) return undefined;
    count = call?.count() ?? count;
    call = undefined;
    emit('text', content);
    return content === '' ? begin(rest, []) : goOn('said', rest);
  }

  function goOn(next: Phase, rest: string): string {
    phase = next;
    return rest;
  }

  /** Whichever of these comes next. */
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

  /** Text that only looks like the start of a call is content. */
  function beginCall(trigger: Trigger, rest: string): string {
    const begun = trigger.lead + trigger.text + rest;
    const fit = calls && fitsSomeCall(begun, trigger.formats, calls.names);
    isNextMessage = false;
    if (!calls || fit === undefined) {
      emit('text', trigger.text);
      return goOn('said', rest);
    }
    // Once arguments have started, a grammar can no longer be applied.
    if (fit !== 'beyond') options.onCall(begun);
    call = createOpenCall(trigger, calls, count);
    return goOn('call', begun);
  }

  function emit(type: 'reasoning' | 'text', text: string): void {
    if (text !== '') pieces.push({ type, text });
  }

  return {
    /** The stop sequence that ended it, if one did. */
    stopText: () => stopText,
    phase: () => phase,
    calls: () => call?.count() ?? count,
    push(text: string): AnswerPiece[] {
      pieces = [];
      for (let rest: string | undefined = text; rest !== undefined;) rest = read[phase](rest);
      return pieces;
    },
    /** Text that was held back and turned out to be plain text. */
    flush(): AnswerPiece[] {
      pieces = [];
      if (phase === 'thought') emit('reasoning', thought.flush());
      if (phase === 'start') emit('text', opening.flush());
      if (phase === 'said') emit('text', words.flush());
      return pieces;
    },
  };
}
