import { ID_MARK, type CallFormat } from './call-format.ts';
import type { ParameterKinds } from './parameter-kinds.ts';
import { createParameterReader } from './parameter-reader.ts';

export type CallPiece =
  { type: 'toolCall'; index: number; name: string } | { type: 'toolArguments'; index: number; text: string };

export type CallableTools = { names: readonly string[]; kindOf: ParameterKinds };

type ArgumentsReader = { push(text: string): { json: string; rest?: string } };

/**
 * Reads calls while they are written, from the first name on. What it reads was held to the format by a grammar, so
 * there is no way in which it could be wrong, only incomplete.
 */
export function createCallReader(format: CallFormat, { names, kindOf }: CallableTools) {
  const { middle, parameters } = format;
  const heads = names.map((name) => ({ name, text: name + middle }));
  const nextCall = format.between === undefined ? undefined : startsLike(format.between);
  let held = '';
  let index = -1;
  let args: ArgumentsReader | undefined;

  function readHead(): CallPiece[] {
    const head = heads.find(({ text }) => held.startsWith(parameters ? text : `${text}{`));
    if (!head) return [];
    const { name, text } = head;
    held = held.slice(text.length);
    index += 1;
    args = parameters
      ? createParameterReader(parameters, (parameter) => kindOf(name, parameter))
      : createJsonReader();
    return [{ type: 'toolCall', index, name }];
  }

  function readArguments(reader: ArgumentsReader): CallPiece[] {
    const { json, rest } = reader.push(held);
    held = rest ?? '';
    if (rest !== undefined) args = undefined;
    return json === '' ? [] : [{ type: 'toolArguments', index, text: json }];
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
        if (!args && index >= 0) readBetween();
        const more = args ? readArguments(args) : readHead();
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

/** Passes arguments on that are JSON already. */
function createJsonReader(): ArgumentsReader {
  const json = createJsonEnd();
  return {
    push(text) {
      const end = json.push(text);
      return end === undefined ? { json: text } : { json: text.slice(0, end), rest: text.slice(end) };
    },
  };
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
