import { literal, oneOf, type Rules } from './rules.ts';

/** One of these texts. Common prefixes are written once, so that few alternatives are open at a time. */
export function factoredTexts(texts: readonly string[], rules: Rules): string {
  const [only, ...others] = new Set(texts);
  if (only === undefined || others.length === 0) return literal(only ?? '');
  const groups = new Map<string, string[]>();
  for (const text of [only, ...others]) {
    const [first = ''] = text;
    const group = groups.get(first);
    if (group) group.push(text);
    else groups.set(first, [text]);
  }
  return oneOf([...groups.values()].map((group) => continued(group, rules)));
}

function continued(texts: readonly string[], rules: Rules): string {
  const [first = ''] = texts;
  if (texts.length === 1) return literal(first);
  const common = [...first].slice(0, Math.min(...texts.map((text) => sharedLength(first, text)))).join('');
  rules.spend(texts.reduce((sum, text) => sum + text.length, 0));
  const rests = texts.map((text) => text.slice(common.length));
  return `${literal(common)} ${rules.define('rest', factoredTexts(rests, rules))}`;
}

/** In characters, so that none is split. */
function sharedLength(one: string, other: string): number {
  const others = [...other];
  const different = [...one].findIndex((character, index) => character !== others[index]);
  return different < 0 ? [...one].length : different;
}
