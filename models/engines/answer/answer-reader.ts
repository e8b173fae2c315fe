import type { CallFormat } from './call-format.ts';
import { createCallReader, type CallableTools, type CallPiece } from './call-reader.ts';
import { fitsSomeCall, triggersOf, type Trigger } from './call-trigger.ts';
import { createOpening, createThoughtReader } from './opening.ts';
import { createStopMatcher } from './stop-matcher.ts';
import type { ThoughtMarks } from './thought-marks.ts';

export type AnswerPiece = { type: 'reasoning' | 'text'; text: string } | CallPiece;

export type ReaderOptions = {
  /** Undefined where no thought can come. */
  thinking:
    | (ThoughtMarks & {
        /** What is put in to bring a thought to its end. */
        closing: string;
        startsInside: boolean;
      })
    | undefined;
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

type Phase = 'start' | 'thought' | 'maybe' | 'said' | 'call' | 'behind' | 'over';

export type AnswerReader = ReturnType<typeof createAnswerReader>;

/** Tells thoughts, words and calls of tools apart in what a model writes, whatever the pieces it comes in. */
export function createAnswerReader({ thinking, calls, stop, continues, ...told }: ReaderOptions) {
  const marks = marksOf({ thinking, calls });
  const words = createStopMatcher([...stop, ...marks.amidWords.keys(), ...marks.answerEnds]);
  const behind = createStopMatcher([...marks.amidWords.keys()]);
  const thought = createThoughtReader(marks.inThought, continues === 'thought');
  let call: { reader: ReturnType<typeof createCallReader>; trigger: Trigger } | undefined;
  let maybe: { trigger: Trigger; text: string } | undefined;
  let opening = createOpening(marks.openings, false);
  let phase: Phase = thinking?.startsInside ? 'thought' : continues === 'answer' ? 'said' : 'start';
  let count = 0;
  let pieces: AnswerPiece[] = [];
  let stopText: string | undefined;

  /** Each reads what it can and gives back what belongs to the next phase. */
  const read: Record<Phase, (text: string) => string | undefined> = {
    start(text) {
      const opened = opening.push(text);
      if (!opened) return undefined;
      const { found = '', rest } = opened;
      const trigger = marks.atStart.get(found);
      if (trigger) return beginCall(trigger, rest);
      if (thinking && found === thinking.end) return endThought(rest);
      phase = thinking && found === thinking.begin ? 'thought' : 'said';
      return rest;
    },
    thought(text) {
      const { shown, stop: end } = thought.push(text);
      emit('reasoning', shown);
      if (!end) return undefined;
      const trigger = marks.afterThought.get(end.found);
      if (trigger) return beginCall(trigger, end.rest);
      const within = marks.withinThought.get(end.found);
      if (!within) return endThought(end.rest, end.found === thinking?.answer);
      maybe = { trigger: within, text: '' };
      phase = 'maybe';
      return end.rest;
    },
    /** A thought may be about calls, so only a whole head of one ends it. */
    maybe(text) {
      if (!maybe || !calls) return undefined;
      maybe.text += text;
      const { trigger, text: rest } = maybe;
      const begun = trigger.lead + trigger.text + rest;
      const fit = fitsSomeCall(begun, trigger.format, calls.names);
      if (fit === 'open') return undefined;
      if (fit !== undefined) return beginCall(trigger, rest);
      emit('reasoning', thought.take(trigger.text));
      phase = 'thought';
      return rest;
    },
    said(text) {
      const { text: shown, stop: end } = words.push(text);
      emit('text', shown);
      if (!end) return undefined;
      const trigger = marks.amidWords.get(end.found);
      if (trigger) return beginCall(trigger, end.rest);
      phase = marks.answerEnds.includes(end.found) ? 'behind' : 'over';
      if (phase === 'behind') return end.rest;
      stopText = end.found;
      return undefined;
    },
    call: (text) => readCall(text),
    /** Behind an answer that has a mark for its end only calls come. */
    behind(text) {
      const { stop: end } = behind.push(text);
      const trigger = end && marks.amidWords.get(end.found);
      return trigger && beginCall(trigger, end.rest);
    },
    over: () => undefined,
  };

  function endThought(rest: string, isAnswer = false): string {
    told.onAnswer();
    opening = createOpening(marks.openingsBehind, true);
    phase = isAnswer ? 'said' : 'start';
    return rest;
  }

  /** What only looks like the beginning of a call is words. */
  function beginCall(trigger: Trigger, rest: string): string {
    const { format, lead, text } = trigger;
    const begun = lead + text;
    const fit = calls && fitsSomeCall(begun + rest, format, calls.names);
    if (!calls || fit === undefined) {
      emit('text', text);
      phase = 'said';
      return rest;
    }
    // What has gone on into its arguments already can not be held to a grammar any more.
    if (fit !== 'beyond') told.onCall(begun + rest);
    call = { reader: createCallReader(format, calls, count), trigger };
    phase = 'call';
    return begun + rest;
  }

  function readCall(text: string): string | undefined {
    if (!call) return undefined;
    const { reader, trigger } = call;
    const { pieces: more, rest } = reader.push(text);
    pieces.push(...more);
    const hasCalls = reader.count() > count;
    if (rest !== undefined) count = reader.count();
    if (rest === undefined) return undefined;
    call = undefined;
    if (!hasCalls) emit('text', trigger.text);
    opening = createOpening([], true);
    phase = hasCalls ? 'start' : 'said';
    return hasCalls ? rest : rest.slice((trigger.lead + trigger.text).length);
  }

  function emit(type: 'reasoning' | 'text', text: string): void {
    if (text !== '') pieces.push({ type, text });
  }

  return {
    /** The stop text that ended it, if one did. */
    stopText: () => stopText,
    phase: () => (phase === 'maybe' ? 'thought' : phase),
    calls: () => call?.reader.count() ?? count,
    push(text: string): AnswerPiece[] {
      pieces = [];
      for (let rest: string | undefined = text; rest !== undefined;) rest = read[phase](rest);
      return pieces;
    },
    /** What was held back and turned out to be nothing else. */
    flush(): AnswerPiece[] {
      pieces = [];
      if (phase === 'thought') emit('reasoning', thought.flush());
      if (phase === 'maybe' && maybe) emit('reasoning', thought.take(maybe.trigger.text + maybe.text));
      if (phase === 'start') emit('text', opening.flush());
      if (phase === 'said') emit('text', words.flush());
      return pieces;
    },
  };
}

/** What an answer may begin with, and what ends a thought; and the marks of calls, each by where it counts. */
function marksOf({ thinking, calls }: Pick<ReaderOptions, 'thinking' | 'calls'>) {
  const triggers = calls?.formats.flatMap((format) => triggersOf(format, calls.names)) ?? [];
  const byText = (some: readonly Trigger[]) => new Map(some.map((trigger) => [trigger.text, trigger]));
  const { begin, end, answer, answerEnd, turn } = thinking ?? {};
  const given = (texts: readonly (string | undefined)[]) => texts.filter((text) => text !== undefined);
  const atStart = byText(triggers.filter(({ isAtStart }) => isAtStart));
  const behindTurn = turn === undefined ? [] : triggers;
  const afterThought = new Map(
    behindTurn.map((trigger) => [`${turn ?? ''}${blankBefore(trigger)}${trigger.text}`, trigger]),
  );
  const withinThought = byText(triggers.filter(({ format }) => format.endsThought));
  return {
    atStart,
    amidWords: byText(triggers.filter(({ isAtStart }) => !isAtStart)),
    afterThought,
    withinThought,
    openings: [...given([begin, end, answer]), ...atStart.keys()],
    openingsBehind: [...given([answer]), ...atStart.keys()],
    inThought: [...given([end, answer]), ...afterThought.keys(), ...withinThought.keys()],
    answerEnds: given([answerEnd]),
  };
}

/** Goes between the mark of a turn and a call that begins with a blank. */
function blankBefore({ format: { before } }: Trigger): string {
  return before.slice(0, before.length - before.trimStart().length);
}
