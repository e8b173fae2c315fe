import { sanitiseLine } from './sanitise.ts';
import { displayWidth } from './display-width.ts';

const GAP = 2;
/** A narrower column would have about a word in each line. */
const VALUE_WIDTH_MIN = 12;

/** Wraps lines between words; a longer word stays whole, so that it can be copied. */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  const [indent = ''] = /^ */.exec(text) ?? [];
  let line = '';
  for (const word of sanitiseLine(text).trimStart().split(' ')) {
    if (line !== '' && displayWidth(indent + line) + 1 + displayWidth(word) > width) {
      lines.push(indent + line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, indent + line];
}

/** Names and values for `renderFields`, where a value that is too long goes on in the next line. */
export function wrapFields(
  fields: readonly (readonly [name: string, value: string])[],
  width: number,
): (readonly [name: string, value: string])[] {
  const room = width - GAP - Math.max(...fields.map(([name]) => displayWidth(name)));
  return fields.flatMap(([name, value]) =>
    wrapText(value, Math.max(VALUE_WIDTH_MIN, room)).map(
      (line, index) => [index === 0 ? name : '', line] as const,
    ),
  );
}
