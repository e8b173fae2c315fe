import { createCallReader, type CallPiece } from './call-reader.ts';
import type { CallFormat } from './call-format.ts';
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
        /** Ends a thought where a call follows, and begins that call. */
        call?: string | undefined;
      }
    | undefined;
  calls: { format: CallFormat; names: readonly string[] } | undefined;
  stop: readonly string[];
  /** Told when a thought is over. */
  onAnswer: () => void;
  /** Told when a call begins, with what of it has come already. */
  onCall: (written: string) => void;
};

type Phase = 'start' | 'thought' | 'said' | 'call' | 'over';

export type AnswerReader = ReturnType<typeof createAnswerReader>;

/** Tells thoughts, words and calls of tools apart in what a model writes, whatever the pieces it comes in. */
export function createAnswerReader({ thinking, calls, stop, onAnswer, onCall }: ReaderOptions) {
  const { trigger, ...marks } = marksOf({ thinking, calls });
  const words = createStopMatcher(trigger && !trigger.isAtStart ? [...stop, trigger.text] : stop);
  const thought = createThoughtReader(marks.thoughtEnds);
  const call = calls && createCallReader(calls.format, calls.names);
  const skip = createSkipper();
  let opening = createOpening([...marks.openings, ...marks.calls], false);
  let phase: Phase = thinking?.startsInside ? 'thought' : 'start';
  let pieces: AnswerPiece[] = [];
  let stopText: string | undefined;

  /** Each reads what it can and gives back what belongs to the next phase. */
  const read: Record<Phase, (text: string) => string | undefined> = {
    start(text) {
      const opened = opening.push(text);
      if (!opened) return undefined;
      const { found, rest } = opened;
      if (found !== undefined && marks.calls.includes(found)) return beginCall(rest);
      phase = found !== undefined && found === thinking?.begin ? 'thought' : 'said';
      return rest;
    },
    thought(text) {
      const { shown, stop: end } = thought.push(text);
      emit('reasoning', shown);
      if (!end) return undefined;
      if (calls && end.found === thinking?.call) return beginCall(end.rest);
      onAnswer();
      opening = createOpening(marks.calls, true);
      phase = 'start';
      return end.rest;
    },
    said(text) {
      const { text: shown, stop: end } = words.push(text);
      emit('text', shown);
      if (!end) return undefined;
      if (end.found === trigger?.text) return beginCall(end.rest);
      stopText = end.found;
      phase = 'over';
      return undefined;
    },
    call(text) {
      pieces.push(...(call?.push(skip.push(text)) ?? []));
      return undefined;
    },
    over: () => undefined,
  };

  /** What only looks like the beginning of a call is words. */
  function beginCall(rest: string): string {
    const written = (trigger?.text ?? '') + rest;
    if (!calls || !fitsSomeCall(written, calls)) {
      emit('text', trigger?.text ?? '');
      phase = 'said';
      return rest;
    }
    onCall(written);
    skip.start((calls?.format.before.trimStart().length ?? 0) - (trigger?.text.length ?? 0));
    phase = 'call';
    return rest;
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

/** What an answer may begin with, and what ends a thought. */
function marksOf({ thinking, calls }: Pick<ReaderOptions, 'thinking' | 'calls'>) {
  const trigger = calls && triggerOf(calls.format);
  return {
    trigger,
    calls: trigger?.isAtStart ? [trigger.text] : [],
    openings: [thinking?.begin, thinking?.answer].filter((mark) => mark !== undefined),
    thoughtEnds: [thinking?.end, calls && thinking?.call].filter((mark) => mark !== undefined),
  };
}

function fitsSomeCall(written: string, { format, names }: NonNullable<ReaderOptions['calls']>): boolean {
  return names.some((name) => (format.before.trimStart() + name + format.middle).startsWith(written));
}

/** By what a call is known. Some formats have nothing but the call itself, which must then begin the answer. */
export function triggerOf({ before }: CallFormat): { text: string; isAtStart: boolean } {
  const json = before.search(/[[{][\s[{]*"/);
  const mark = (json === -1 ? before : before.slice(0, json)).trim();
  return mark === '' ? { text: before.trimStart(), isAtStart: true } : { text: mark, isAtStart: false };
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
function createThoughtReader(marks: readonly string[]) {
  const ends = createStopMatcher(marks);
  let blanks = '';
  let isEmpty = true;

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

/** Passes over so many characters. */
function createSkipper() {
  let left = 0;
  return {
    start: (count: number) => (left = count),
    push(text: string): string {
      const skipped = Math.min(left, text.length);
      left -= skipped;
      return text.slice(skipped);
    },
  };
}
