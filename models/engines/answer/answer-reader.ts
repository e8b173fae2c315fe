import type { CallFormat } from './call-format.ts';
import { createCallReader, type CallableTools, type CallPiece } from './call-reader.ts';
import { fitsSomeCall, triggersByText, triggersOf, type Trigger } from './call-trigger.ts';
import { createOpening, createThoughtReader } from './opening.ts';
import { createStopMatcher } from './stop-matcher.ts';
import type { AnswerMarks, ThoughtMarks } from './thought-marks.ts';

export type AnswerPiece = { type: 'reasoning' | 'text'; text: string } | CallPiece;

export type ReaderOptions = {
  /** Undefined where no thought can come. */
  thinking:
    | (Pick<ThoughtMarks, 'begin' | 'end' | 'isAnywhere'> & {
        /** What is put in to bring a thought to its end. */
        closing: string;
        startsInside: boolean;
      })
    | undefined;
  /** Of what is said. */
  marks?: AnswerMarks | undefined;
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
export function createAnswerReader({
  thinking,
  marks: given,
  calls,
  stop,
  continues,
  ...told
}: ReaderOptions) {
  const marks = placeMarks({ thinking, marks: given, calls });
  const words = createStopMatcher([...stop, ...marks.inWords]);
  const behind = createStopMatcher([...marks.amidWords.keys()]);
  const thought = createThoughtReader(marks.inThought, continues === 'thought');
  let call: { reader: ReturnType<typeof createCallReader>; trigger: Trigger } | undefined;
  let maybe: { trigger: Trigger; text: string } | undefined;
  let opening = createOpening(marks.openings, false);
  let phase: Phase = thinking?.startsInside ? 'thought' : continues === 'answer' ? 'said' : 'start';
  /** Another message of the turn begins, and one without a known mark is for nobody here. */
  let isNextMessage = false;
  let count = 0;
  let pieces: AnswerPiece[] = [];
  let stopText: string | undefined;

  /** Each reads what it can and gives back what belongs to the next phase. */
  const read: Record<Phase, (text: string) => string | undefined> = {
    start(text) {
      const opened = opening.push(text);
      if (!opened) return undefined;
      const { found = '', rest } = opened;
      const trigger = marks.atStart.get(found) ?? (isNextMessage ? marks.amidWords.get(found) : undefined);
      if (trigger) return beginCall(trigger, rest);
      if (found !== '' && found === given?.skipped) return begin(rest, marks.openings);
      if (found !== '' && found === thinking?.end) return endThought(rest);
      phase = found !== '' && found === thinking?.begin ? 'thought' : 'said';
      if (isNextMessage && phase === 'said') {
        if (found === '') phase = 'behind';
        else told.onAnswer();
      }
      isNextMessage = false;
      return rest;
    },
    thought(text) {
      const { shown, stop: end } = thought.push(text);
      emit('reasoning', shown);
      if (!end) return undefined;
      if (end.found === given?.turn) return beginMessage(end.rest);
      const within = marks.withinThought.get(end.found);
      if (!within) return endThought(end.rest, end.found !== thinking?.end);
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
      const fit = fitsSomeCall(begun, trigger.formats, calls.names);
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
      if (end.found === given?.turn) return beginMessage(end.rest);
      if (end.found === thinking?.end) return end.rest;
      if (end.found === thinking?.begin || end.found === given?.answerEnd) {
        phase = end.found === given?.answerEnd ? 'behind' : 'thought';
        return end.rest;
      }
      phase = 'over';
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

  /** Whatever of these may come next. */
  function begin(rest: string, openings: readonly string[]): string {
    opening = createOpening(openings, true);
    phase = 'start';
    return rest;
  }

  function beginMessage(rest: string): string {
    isNextMessage = true;
    return begin(rest, [...marks.openings, ...marks.amidWords.keys()]);
  }

  function endThought(rest: string, isAnswer = false): string {
    told.onAnswer();
    if (!isAnswer) return begin(rest, marks.openingsBehind);
    phase = 'said';
    return rest;
  }

  /** What only looks like the beginning of a call is words. */
  function beginCall(trigger: Trigger, rest: string): string {
    const { formats, lead, text } = trigger;
    const begun = lead + text;
    const fit = calls && fitsSomeCall(begun + rest, formats, calls.names);
    isNextMessage = false;
    if (!calls || fit === undefined) {
      emit('text', text);
      phase = 'said';
      return rest;
    }
    // What has gone on into its arguments already can not be held to a grammar any more.
    if (fit !== 'beyond') told.onCall(begun + rest);
    call = { reader: createCallReader(formats, calls, count), trigger };
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
    phase = 'said';
    return hasCalls ? begin(rest, []) : rest.slice((trigger.lead + trigger.text).length);
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

type Placed = Pick<ReaderOptions, 'thinking' | 'marks' | 'calls'>;

/** What an answer may begin with, and what ends a thought; and the marks of calls, each by where it counts. */
function placeMarks({ thinking, marks, calls }: Placed) {
  const triggers = calls?.formats.flatMap((format) => triggersOf(format, calls.names)) ?? [];
  const { answer, otherAnswers = [], answerEnd, turn, skipped } = marks ?? {};
  const given = (texts: readonly (string | undefined)[]) => texts.filter((text) => text !== undefined);
  const atStart = triggersByText(triggers.filter(({ isAtStart }) => isAtStart));
  const amidWords = triggersByText(triggers.filter(({ isAtStart }) => !isAtStart));
  const withinThought = triggersByText(triggers.filter(({ formats }) => formats[0]?.endsThought));
  const answers = given([answer, ...otherAnswers]);
  const tags = thinking ? [thinking.begin, thinking.end] : [];
  return {
    atStart,
    amidWords,
    withinThought,
    openings: [...tags, ...answers, ...given([skipped]), ...atStart.keys()],
    openingsBehind: [...answers, ...given([skipped]), ...atStart.keys()],
    inThought: [
      ...given([thinking?.end, turn]),
      ...(turn === undefined ? answers : []),
      ...withinThought.keys(),
    ],
    inWords: [...amidWords.keys(), ...given([answerEnd, turn]), ...(thinking?.isAnywhere ? tags : [])],
  };
}
