import { ID_MARK, type CallFormat } from './call-format.ts';

export type CallPiece =
  { type: 'toolCall'; index: number; name: string } | { type: 'toolArguments'; index: number; text: string };

/**
 * Reads calls while they are written, from the first name on. What it reads was held to the format by a grammar, so
 * there is no way in which it could be wrong, only incomplete.
 */
export function createCallReader(format: CallFormat, names: readonly string[]) {
  const heads = names.map((name) => ({ name, text: name + format.middle }));
  const nextCall = format.between === undefined ? undefined : startsLike(format.between);
  let held = '';
  let index = -1;
  let json: ReturnType<typeof createJsonEnd> | undefined;

  function readHead(): CallPiece[] {
    const head = heads.find(({ text }) => held.startsWith(`${text}{`));
    if (!head) return [];
    held = held.slice(head.text.length);
    index += 1;
    json = createJsonEnd();
    return [{ type: 'toolCall', index, name: head.name }];
  }

  function readArguments(): CallPiece[] {
    const end = json?.push(held);
    const text = held.slice(0, end);
    held = end === undefined ? '' : held.slice(end);
    if (end !== undefined) json = undefined;
    return text === '' ? [] : [{ type: 'toolArguments', index, text }];
  }

  /** Passes over what stands between two calls. */
  function readBetween(): void {
    const length = nextCall?.exec(held)?.[0].length;
    if (length !== undefined) held = held.slice(length);
  }

  return {
    count: () => index + 1,
    push(text: string): CallPiece[] {
      held += text;
      const pieces: CallPiece[] = [];
      for (;;) {
        if (!json && index >= 0) readBetween();
        const more = json ? readArguments() : readHead();
        if (more.length === 0) return pieces;
        pieces.push(...more);
      }
    },
  };
}

function startsLike(text: string): RegExp {
  const escaped = text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll(ID_MARK, '[a-zA-Z0-9]{9}');
  return new RegExp(`^${escaped}`);
}

/** Finds where a JSON object ends that comes in pieces. */
function createJsonEnd() {
  let depth = 0;
  let inString = false;
  let isEscaped = false;
  return {
    /** The length that still belongs to it, when it ends within this text. */
    push(text: string): number | undefined {
      for (let place = 0; place < text.length; place++) {
        const character = text[place];
        if (isEscaped) isEscaped = false;
        else if (inString) {
          if (character === '\\') isEscaped = true;
          else if (character === '"') inString = false;
        } else if (character === '"') inString = true;
        else if (character === '{' || character === '[') depth += 1;
        else if (character === '}' || character === ']') {
          depth -= 1;
          if (depth === 0) return place + 1;
        }
      }
      return undefined;
    },
  };
}
