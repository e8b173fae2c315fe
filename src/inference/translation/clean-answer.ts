const QUOTES: readonly (readonly [string, string])[] = [
  ['"', '"'],
  ['“', '”'],
  ['„', '“'],
  ['«', '»'],
  ["'", "'"],
  ['‘', '’'],
  ['「', '」'],
  ['`', '`'],
];

const THOUGHTS = /<think(?:ing)?>[\s\S]*?(?:<\/think(?:ing)?>|$)/gi;
/** A line that only announces the translation and ends with a colon. */
const ANNOUNCEMENT =
  /^(?:(?:sure|certainly|of course|okay|ok|absolutely)\b[^\n:]*[!.,:]?\s*)?(?:(?:here(?:'s| is| you go)|this is|the|my)\b[^\n:]*)?(?:\p{L}+\s+)?(?:translat|version)[^\n:]*:\s*/iu;
const ASSENT = /^(?:sure|certainly|of course|okay|absolutely)[!.,:]?\s*(?:\n+|$)/i;
const REMARK = /^\(?\**(?:note|notes|explanation|literally|alternatively|i hope|let me know)\b/i;

/**
 * Extracts the translation of one line from a talkative answer: without reasoning, announcements, labels, quotation
 * marks, code fences and remarks, unless the source has the same.
 */
export function cleanAnswer(answer: string, source: string): string {
  let text = answer.replace(THOUGHTS, '').trim();
  text = withoutFence(text, source);
  if (!ASSENT.test(source)) text = text.replace(ASSENT, '');
  if (!ANNOUNCEMENT.test(source)) text = text.replace(ANNOUNCEMENT, '').trim();
  text = withoutRemarks(text, source);
  text = withoutEmphasis(text, source);
  return withoutQuotes(text, source).trim();
}

function withoutFence(text: string, source: string): string {
  const fenced = /^```[^\n]*\n([\s\S]*?)\n?```/.exec(text);
  return fenced && !source.includes('```') ? (fenced[1] ?? '').trim() : text;
}

/** The translation of a line is one line; what follows an empty line, or starts like a remark, is talk. */
function withoutRemarks(text: string, source: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  const end = lines.findIndex((line, index) => index > 0 && (line === '' || isRemark(line, source)));
  return lines
    .slice(0, end === -1 ? lines.length : end)
    .filter((line) => line !== '')
    .join(' ');
}

function isRemark(line: string, source: string): boolean {
  return REMARK.test(line) && !REMARK.test(source);
}

function withoutEmphasis(text: string, source: string): string {
  const bold = /^\*\*([^*]+)\*\*$/.exec(text);
  return bold && !source.startsWith('**') ? (bold[1] ?? text) : text;
}

function withoutQuotes(text: string, source: string): string {
  if (QUOTES.some(([open]) => source.startsWith(open))) return text;
  const pair = QUOTES.find(
    ([open, close]) => text.length > 1 && text.startsWith(open) && text.endsWith(close),
  );
  if (!pair) return text;
  const inner = text.slice(1, -1);
  return inner.includes(pair[0]) || inner.includes(pair[1]) ? text : inner;
}
