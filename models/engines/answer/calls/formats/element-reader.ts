import type { ArgumentsReader } from '../call-format.ts';
import type { ParameterKind } from '../parameter-kinds.ts';
import { createStopMatcher, type StopMatcher } from '../../stop-matcher.ts';

/** An open element: an object with properties, or a list with items. */
type Open = { name: string; isList: boolean; count: number };

const ITEM = 'item';

/** Converts arguments written as nested elements to JSON while they are streamed; every tag has this prefix. */
export function createElementReader(
  mark: string,
  kindOf: (...path: string[]) => ParameterKind,
): ArgumentsReader {
  const open: Open[] = [];
  let held = '';
  let json = '{';
  let count = 0;
  /** The element whose value is being read. */
  let name: string | undefined;
  let textKind: ParameterKind | undefined;
  let isOver = false;
  /** For a scalar: what ends it, and what was read so far. */
  let ends: StopMatcher | undefined;
  let whole = '';

  const path = () => [...open.map((one) => one.name), ...(name === undefined ? [] : [name])];

  /** Each returns true when it consumed something. */
  function readTag(): boolean {
    held = held.trimStart();
    if (held.length < mark.length && mark.startsWith(held)) return false;
    const tag = held.startsWith(mark) ? /^<(\/?)([^<>]*)>/.exec(held.slice(mark.length)) : undefined;
    if (!tag && held.startsWith(mark) && !held.includes('>', mark.length)) return false;
    const [whole = '', slash = '', tagName = ''] = tag ?? [];
    const container = open.at(-1);
    if (!tag || (!container && (slash === '/' || tagName.startsWith('invoke ')))) return end();
    held = held.slice(mark.length + whole.length);
    if (slash === '/') {
      open.pop();
      json += container?.isList ? ']' : '}';
      return true;
    }
    json += (container ? container.count : count) > 0 ? ', ' : '';
    if (container) container.count += 1;
    else count += 1;
    if (!container?.isList) json += `${JSON.stringify(tagName)}: `;
    name = tagName;
    return true;
  }

  function end(): false {
    json += '}';
    isOver = true;
    return false;
  }

  /** Nested elements make it an object or a list, unless it is text. */
  function readValue(element: string): boolean {
    const kind = kindOf(...path());
    const inner = held.trimStart();
    const opening = `${mark}<`;
    if (kind !== 'text') {
      if (opening.startsWith(inner) || inner === opening) return false;
      if (inner.startsWith(opening) && !inner.startsWith(`${opening}/`)) {
        if (!inner.includes('>', opening.length)) return false;
        const isList = inner.startsWith(`${opening}${ITEM}>`);
        open.push({ name: element, isList, count: 0 });
        json += isList ? '[' : '{';
        held = inner;
        name = undefined;
        return true;
      }
    } else if (textKind === undefined) json += '"';
    textKind = kind;
    return readText(`${opening}/${element}>`, kind);
  }

  function readText(close: string, kind: ParameterKind): boolean {
    ends ??= createStopMatcher([close]);
    const { text, stop } = ends.push(held);
    held = stop?.rest ?? '';
    if (kind === 'text') json += JSON.stringify(text).slice(1, -1);
    else whole += text;
    if (!stop) return false;
    json += kind === 'text' ? '"' : scalar(whole, kind);
    name = textKind = ends = undefined;
    whole = '';
    return true;
  }

  return {
    push(text) {
      held += text;
      while (
        !isOver &&
        (name === undefined
          ? readTag()
          : textKind
            ? readText(`${mark}</${name}>`, textKind)
            : readValue(name))
      );
      const written = json;
      json = '';
      return isOver ? { json: written, rest: held } : { json: written };
    },
  };
}

/** Of unknown type: JSON where it parses as such. */
function scalar(text: string, kind: ParameterKind): string {
  if (kind === 'nullable') return text === 'null' ? text : JSON.stringify(text);
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return JSON.stringify(text);
  }
}
