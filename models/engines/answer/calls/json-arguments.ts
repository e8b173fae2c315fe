import type { ArgumentsReader } from './call-format.ts';

/** Passes through arguments that are already JSON. */
export function createJsonArguments(): ArgumentsReader {
  const json = createJsonEnd();
  return {
    push(text) {
      const end = json.push(text);
      return end === undefined ? { json: text } : { json: text.slice(0, end), rest: text.slice(end) };
    },
  };
}

/** Finds the end of a streamed JSON object. */
function createJsonEnd() {
  let depth = 0;
  let inString = false;
  let isEscaped = false;
  return {
    /** The length that still belongs to it, if it ends within this text. */
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
