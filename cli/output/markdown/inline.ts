import { createHeld, HELD_MAX } from './held.ts';
import { CODE, type Piece, type Style } from './style.ts';

type Run = { mark: string; length: number; before: string };

const MARKS = '*_~`![]';
const ESCAPABLE = /[*_`~#|>!+.-]/;

/**
 * Parses the text of one line, character by character, and emits styled text. Anything that may still change its
 * meaning is held back, so that emitted text never has to be corrected, however the input is chunked.
 */
export function createInline(emit: (text: string, style: Style) => void) {
  const held = createHeld(emit);
  let before = '';
  let run: Run | undefined;
  let isEscaped = false;
  /** Inside `code` or a link's URL: verbatim until it ends. */
  let raw: { kind: 'code' | 'address'; ticks: number; text: string } | undefined;

  function add(character: string): void {
    if (raw) return raw.kind === 'code' ? addCode(raw, character) : addAddress(raw, character);
    if (run && run.mark === character && '*_~`'.includes(character)) {
      run.length += 1;
      return;
    }
    if (run) finishRun(run, character);
    // The end of a run may start code or a URL.
    if (raw) return add(character);
    if (run === undefined && isEscaped) return addEscaped(character);
    if (character === '\\') isEscaped = true;
    else if (MARKS.includes(character)) run = { mark: character, length: 1, before };
    else held.add(character);
    before = character;
  }

  function addEscaped(character: string): void {
    isEscaped = false;
    held.add(ESCAPABLE.test(character) ? character : `\\${character}`);
    before = character;
  }

  function finishRun(finished: Run, next: string): void {
    run = undefined;
    const { mark, length } = finished;
    if (mark === '`') raw = { kind: 'code', ticks: length, text: '' };
    else if (mark === ']') closeBracket(next);
    else if (mark === '[' || (mark === '!' && next === '[')) held.open(mark, 1);
    else if (mark === '!') held.add(mark);
    else styleRun(finished, next);
  }

  function styleRun({ mark, length, before: previous }: Run, next: string): void {
    const { canOpen, canClose } = flanking(mark, previous, next);
    const isMark = mark !== '~' || length === 2;
    const left = isMark && canClose ? held.close(mark, length) : length;
    if (left > 0 && isMark && canOpen) held.open(mark, left);
    else if (left > 0) held.add(mark.repeat(left));
    held.releaseIfClosed();
  }

  function closeBracket(next: string): void {
    if (held.hasBracket() && next === '(') {
      raw = { kind: 'address', ticks: 0, text: '' };
    } else {
      held.dropBracket();
      held.add(']');
    }
  }

  function addAddress(address: NonNullable<typeof raw>, character: string): void {
    address.text += character;
    const depth = address.text.split('(').length - address.text.split(')').length;
    if (address.text.length > HELD_MAX) return failRaw(address);
    if (depth > 0) return;
    const target = address.text.slice(1, -1).trim();
    if (!/^\S+(?:\s+["'(].*)?$/.test(target)) return failRaw(address);
    raw = undefined;
    before = ')';
    held.closeLink(target);
  }

  function addCode(code: NonNullable<typeof raw>, character: string): void {
    if (character !== '`' && closesCode(code)) {
      endCode(code);
      return add(character);
    }
    code.text += character;
    if (code.text.length > HELD_MAX) failRaw(code);
  }

  function closesCode({ text, ticks }: NonNullable<typeof raw>): boolean {
    const content = text.replace(/`+$/, '');
    return text.length - content.length === ticks && content !== '';
  }

  function endCode({ text, ticks }: NonNullable<typeof raw>): void {
    const content = text.slice(0, -ticks);
    raw = undefined;
    before = '`';
    held.add(/^ .*[^ ].* $/.test(content) ? content.slice(1, -1) : content, CODE);
  }

  /** It was neither code nor a URL: its delimiter is text, and what follows is parsed again. */
  function failRaw({ kind, ticks, text }: NonNullable<typeof raw>): void {
    raw = undefined;
    const mark = kind === 'code' ? '`'.repeat(ticks) : ']';
    if (kind === 'address') held.dropBracket();
    held.add(mark);
    before = mark.slice(-1);
    for (const character of text) add(character);
  }

  return {
    add,
    /** The end of the line: anything still open is text. */
    end() {
      while (raw !== undefined || run !== undefined) {
        if (raw?.kind === 'code' && closesCode(raw)) endCode(raw);
        else if (raw) failRaw(raw);
        else if (run) finishRun(run, '');
      }
      if (isEscaped) held.add('\\');
      isEscaped = false;
      held.release();
      before = '';
    },
  };
}

/** Whether a delimiter run is left- or right-flanking. */
function flanking(mark: string, before: string, next: string): { canOpen: boolean; canClose: boolean } {
  const isLeft = !isSpace(next) && (!isPunctuation(next) || isSpace(before) || isPunctuation(before));
  const isRight = !isSpace(before) && (!isPunctuation(before) || isSpace(next) || isPunctuation(next));
  if (mark !== '_') return { canOpen: isLeft, canClose: isRight };
  return {
    canOpen: isLeft && (!isRight || isPunctuation(before)),
    canClose: isRight && (!isLeft || isPunctuation(next)),
  };
}

function isSpace(character: string): boolean {
  return character === '' || /\s/u.test(character);
}

function isPunctuation(character: string): boolean {
  return /[\p{P}\p{S}]/u.test(character);
}

/** A complete text. */
export function readInline(text: string): Piece[] {
  const pieces: Piece[] = [];
  const inline = createInline((part, style) => void pieces.push({ text: part, style }));
  for (const character of text) inline.add(character);
  inline.end();
  return pieces;
}
