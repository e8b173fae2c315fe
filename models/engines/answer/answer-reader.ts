import type { CallFormat } from './call-format.ts';
import { createCallReader, type CallableTools, type CallPiece } from './call-reader.ts';
import { fitsSomeCall, triggersOf, type Trigger } from './call-trigger.ts';
import { createStopMatcher } from './stop-matcher.ts';

export type AnswerPiece = { type: 'reasoning' | 'text'; text: string } | CallPiece;

export type ReaderOptions = {
  /** Undefined where no thought can come. */
  thinking:
    | {
        begin: string;
        end: string;
        /** What is put in to bring a thought to its end. */
        closing: string;
        startsInside: boolean;
        /** Begins an answer without a thought, and is no part of it. */
        answer?: string | undefined;
        /** Ends an answer that was begun so. */
        answerEnd?: string | undefined;
        /** Ends a thought where a call follows, which then begins. */
        turn?: string | undefined;
      }
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

type Phase = 'start' | 'thought' | 'said' | 'call' | 'over';

export type AnswerReader = ReturnType<typeof createAnswerReader>;

/** Tells thoughts, words and calls of tools apart in what a model writes, whatever the pieces it comes in. */
export function createAnswerReader({ thinking, calls, stop, continues, ...told }: ReaderOptions) {
  const marks = marksOf({ thinking, calls });
  const words = createStopMatcher([...stop, ...marks.amidWords.keys()]);
  const thought = createThoughtReader(
    [...marks.thoughtEnds, ...marks.afterThought.keys()],
    continues === 'thought',
  );
  let call: ReturnType<typeof createCallBehind> | undefined;
  let opening = createOpening([...marks.openings, ...marks.atStart.keys()], false);
  let phase: Phase = thinking?.startsInside ? 'thought' : continues === 'answer' ? 'said' : 'start';
  let pieces: AnswerPiece[] = [];
  let stopText: string | undefined;

  /** Each reads what it can and gives back what belongs to the next phase. */
  const read: Record<Phase, (text: string) => string | undefined> = {
    start(text) {
      const opened = opening.push(text);
      if (!opened) return undefined;
      const { found, rest } = opened;
      const trigger = marks.atStart.get(found ?? '');
      if (trigger) return beginCall(trigger, rest);
      phase = found !== undefined && found === thinking?.begin ? 'thought' : 'said';
      return rest;
    },
    thought(text) {
      const { shown, stop: end } = thought.push(text);
      emit('reasoning', shown);
      if (!end) return undefined;
      const trigger = marks.afterThought.get(end.found);
      if (trigger) return beginCall(trigger, end.rest);
      told.onAnswer();
      opening = createOpening([...marks.atStart.keys()], true);
      phase = 'start';
      return end.rest;
    },
    said(text) {
      const { text: shown, stop: end } = words.push(text);
      emit('text', shown);
      if (!end) return undefined;
      const trigger = marks.amidWords.get(end.found);
      if (trigger) return beginCall(trigger, end.rest);
      stopText = end.found;
      return void (phase = 'over');
    },
    call: (text) => void pieces.push(...(call?.push(text) ?? [])),
    over: () => undefined,
  };

  /** What only looks like the beginning of a call is words. */
  function beginCall({ format, lead, text }: Trigger, rest: string): string {
    const begun = lead + text;
    if (!calls || !fitsSomeCall(begun + rest, format, calls.names)) {
      emit('text', text);
      phase = 'said';
      return rest;
    }
    told.onCall(begun + rest);
    call = createCallBehind(format, calls, begun);
    phase = 'call';
    return begun.slice(format.before.trimStart().length) + rest;
  }

  function emit(type: 'reasoning' | 'text', text: string): void {
    if (text !== '') pieces.push({ type, text });
  }

  return {
    /** The stop text that ended it, if one did. */
    stopText: () => stopText,
    phase: () => phase,
    calls: () => call?.count() ?? 0,
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

/** What an answer may begin with, and what ends a thought; and the marks of calls, each by where it counts. */
function marksOf({ thinking, calls }: Pick<ReaderOptions, 'thinking' | 'calls'>) {
  const triggers = calls?.formats.flatMap((format) => triggersOf(format, calls.names)) ?? [];
  const byText = (some: readonly Trigger[]) => new Map(some.map((trigger) => [trigger.text, trigger]));
  const turn = thinking?.turn;
  return {
    atStart: byText(triggers.filter(({ isAtStart }) => isAtStart)),
    amidWords: byText(triggers.filter(({ isAtStart }) => !isAtStart)),
    afterThought: new Map(
      turn === undefined
        ? []
        : triggers.map((trigger) => [turn + blankBefore(trigger) + trigger.text, trigger]),
    ),
    openings: [thinking?.begin, thinking?.answer].filter((mark) => mark !== undefined),
    thoughtEnds: [thinking?.end].filter((mark) => mark !== undefined),
  };
}

/** Goes between the mark of a turn and a call that begins with a blank. */
function blankBefore({ format: { before } }: Trigger): string {
  return before.slice(0, before.length - before.trimStart().length);
}

/** Waits until it is certain whether the answer begins with one of these texts. */
function createOpening(texts: readonly string[], isTrimmed: boolean) {
  let held = '';
  return {
    push(text: string): { found?: string; rest: string } | undefined {
      held += text;
      const begun = held.trimStart();
      const found = texts.find((one) => begun.startsWith(one));
      if (found !== undefined) return { found, rest: begun.slice(found.length) };
      const mayCome = texts.some((one) => one.startsWith(begun));
      if (mayCome || (isTrimmed && begun === '')) return undefined;
      return { rest: isTrimmed ? begun : held };
    },
    flush: () => (isTrimmed ? held.trimStart() : held),
  };
}

/** Gives thoughts without the blanks around them. */
function createThoughtReader(marks: readonly string[], isBegun: boolean) {
  const ends = createStopMatcher(marks);
  let blanks = '';
  let isEmpty = !isBegun;

  function trim(text: string): string {
    const all = isEmpty ? (blanks + text).trimStart() : blanks + text;
    const shown = all.trimEnd();
    blanks = all.slice(shown.length);
    isEmpty &&= shown === '';
    return shown;
  }

  return {
    push(text: string) {
      const { text: thought, stop } = ends.push(text);
      return { shown: trim(thought), stop };
    },
    flush: () => trim(ends.flush()),
  };
}

/** Reads a call of whose beginning so much was seen already; where that was more than the beginning, the rest follows. */
function createCallBehind(format: CallFormat, tools: CallableTools, begun: string) {
  const reader = createCallReader(format, tools);
  let left = Math.max(0, format.before.trimStart().length - begun.length);
  return {
    count: () => reader.count(),
    push(text: string) {
      const skipped = Math.min(left, text.length);
      left -= skipped;
      return reader.push(text.slice(skipped));
    },
  };
}
