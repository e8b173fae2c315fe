/** Invisible characters: zero-width and direction marks, tags, variation selectors, other control characters. */
const UNSEEN =
  // eslint-disable-next-line no-control-regex, no-misleading-character-class -- these are exactly what must go
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]/gu;

/** What models may take for the end of a text or the start of an instruction. */
const TEMPLATE_TOKENS =
  /<\|[\w-]{1,40}\|>|<\/?s>|\[\/?INST\]|<<\/?SYS>>|<(?:start|end)_of_turn>|<\/?(?:tool_call|tool_response|think)>|<｜[^｜]{1,40}｜>/gi;

/** Untrusted text without anything that only machines can read. */
export function cleanText(text: string): string {
  let cleaned = text.normalize('NFC').replace(UNSEEN, '');
  // Repeated, because removing one token can form another.
  for (let before = ''; before !== cleaned;) {
    before = cleaned;
    cleaned = cleaned.replace(TEMPLATE_TOKENS, ' ');
  }
  return cleaned;
}

/** On one line, truncated to the given length. */
export function oneLine(text: string, lengthMax: number): string {
  const line = cleanText(text).replace(/\s+/g, ' ').trim();
  return line.length <= lengthMax ? line : `${line.slice(0, lengthMax - 1).trimEnd()}…`;
}
