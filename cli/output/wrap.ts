import { sanitiseLine } from './sanitise.ts';
import { displayWidth } from './table.ts';

/** Wraps lines between words; a longer word stays whole, so that it can be copied. */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of sanitiseLine(text).split(' ')) {
    if (line !== '' && displayWidth(line) + 1 + displayWidth(word) > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
