import type { ArgumentsReader, CallFormat } from './call-format.ts';
import { matchText, withName } from './call-text.ts';
import { createJsonArguments } from './json-arguments.ts';
import type { ParameterKinds } from './parameter-kinds.ts';
import { createParameterParser } from './parameter-parser.ts';

export type CallPiece =
  { type: 'toolCall'; index: number; name: string } | { type: 'toolArguments'; index: number; text: string };

export type CallableTools = { names: readonly string[]; kindOf: ParameterKinds };

/** `rest` is the text after the last call. */
export type CallsRead = { pieces: CallPiece[]; rest?: string };

/** The head of a call with this name: everything up to its arguments. */
type Head = { name: string; text: string; format: CallFormat };

/** Parses calls while they are written, from their first tag on; the first of them has this index. */
export function createCallParser(
  formats: readonly CallFormat[],
  { names, kindOf }: CallableTools,
  firstIndex: number,
) {
  const headsOf = (format: CallFormat, prefix: string): Head[] =>
    names.map((name) => ({ name, format, text: prefix + name + withName(format.middle, name) }));
  let heads = formats.flatMap((format) => headsOf(format, format.before.trimStart()));
  let format: CallFormat | undefined;
  let held = '';
  let index = firstIndex - 1;
  let args: ArgumentsReader | undefined;

  function readerOf({ name, format: { notation, parameters } }: Head): ArgumentsReader {
    const kindOfOne = (...path: string[]) => kindOf(name, ...path);
    if (notation) return notation.createReader(kindOfOne);
    return parameters ? createParameterParser(parameters, kindOfOne) : createJsonArguments();
  }

  /** Where the arguments start after this head; undefined if they do not, or while that is uncertain. */
  function endOf({ text, format: { notation, parameters } }: Head): number | 'open' | undefined {
    const match = matchText(text, held);
    if (match?.length === undefined) return match && 'open';
    const next = held.slice(match.length);
    if (!notation && !parameters) {
      const first = next.trimStart();
      return first === '' ? 'open' : first.startsWith('{') ? held.length - first.length : undefined;
    }
    // A name may be the prefix of another one.
    if (/\w$/.test(text)) return next === '' ? 'open' : /^[\w.-]/.test(next) ? undefined : match.length;
    return match.length;
  }

  /** True if it read one; 'open' if there may be one. */
  function readHead(): CallPiece | 'open' | undefined {
    const ends = heads.map((head) => ({ head, end: endOf(head) }));
    const found = ends.find(({ end }) => typeof end === 'number');
    if (!found) return ends.some(({ end }) => end === 'open') ? 'open' : undefined;
    const { head } = found;
    held = held.slice(found.end as number);
    index += 1;
    args = readerOf(head);
    format = head.format;
    heads = format.between === undefined ? [] : headsOf(format, format.between);
    return { type: 'toolCall', index, name: head.name };
  }

  function readArguments(reader: ArgumentsReader): CallPiece[] {
    const { json, rest } = reader.push(held);
    held = rest ?? '';
    if (rest !== undefined) args = undefined;
    return json === '' ? [] : [{ type: 'toolArguments', index, text: json }];
  }

  /** What follows the last call, without the tags that belong to it; undefined while more of them may come. */
  function restBehind({ after, ending }: CallFormat): string | undefined {
    const end = matchText(after, held);
    if (end?.left !== undefined) return undefined;
    const rest = end ? held.slice(end.length) : held;
    if (ending === undefined) return rest;
    const last = matchText(ending, rest);
    return last?.left === undefined ? rest.slice(last?.length ?? 0) : undefined;
  }

  return {
    /** The number of calls so far, earlier ones included. */
    count: () => index + 1,
    push(text: string): CallsRead {
      held += text;
      const pieces: CallPiece[] = [];
      for (;;) {
        if (args) {
          pieces.push(...readArguments(args));
          if (args) return { pieces };
          continue;
        }
        const head = readHead();
        if (head === 'open') return { pieces };
        if (head !== undefined) {
          pieces.push(head);
          continue;
        }
        if (!format) return { pieces, rest: held };
        const rest = restBehind(format);
        return rest === undefined || rest.trim() === '' ? { pieces } : { pieces, rest };
      }
    },
  };
}
