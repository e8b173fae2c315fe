import { expect, test } from 'vitest';
import { displayWidth, truncate, truncateMiddle } from '../../../cli/output/display-width.ts';

test.each([
  [
    'emoji that are drawn in colour without being asked',
    2,
    ['✅', '⏰', '⭐', '⚡', '❌', '❗', '🚀', '🈁', '🀄'],
  ],
  ['symbols that are asked to be drawn as emoji', 2, ['❤️', '☀️', '🌡️', '1️⃣']],
  ['a flag, which is two letters', 2, ['🇩🇪', '🇯🇵']],
  ['letters of the far East', 2, ['日', 'あ', 'カ', '한', '〇', '，', '𠮷']],
  ['their narrow forms', 1, ['ｶ', 'ﾝ', '｡', 'ﾡ']],
  ['symbols of text', 1, ['✓', '✗', '▸', '●', '…', '☀', '❤', '🌡', '⠋', '█', '─', '©', '€']],
  ['what joins the letter before it', 0, ['\u0301', '\u200d', '\ufe0f']],
])('%s: %d terminal cells', (_, cells, texts) => {
  for (const text of texts) {
    expect(displayWidth(text), text).toBe(cells);
    expect(displayWidth(`ab${text}c${text}`), text).toBe(3 + 2 * cells);
  }
});

test('a text that is cut between emoji is never wider than its column', () => {
  for (const text of ['✅⭐❤️⏰', 'a❤️b❤️c❤️', '日本語ですね', '🇩🇪🇫🇷🇮🇹'])
    for (let width = 1; width <= 8; width++) {
      expect(displayWidth(truncate(text, width)), `${text} in ${width}`).toBeLessThanOrEqual(width);
      expect(displayWidth(truncateMiddle(text, width)), `${text} in ${width}`).toBeLessThanOrEqual(width);
    }
});
