import { sanitiseLine } from './sanitise.ts';

/** A terminal hyperlink (OSC 8). In terminals without support, its text is shown unchanged. */
export function linked(text: string, url: string): string {
  const target = targetOf(url);
  return target === undefined ? text : `\u001b]8;;${target}\u001b\\${text}\u001b]8;;\u001b\\`;
}

/** URLs come from pages and models: only what a browser or an editor opens, and no control characters. */
function targetOf(url: string): string | undefined {
  const plain = sanitiseLine(url);
  if (!URL.canParse(plain)) return undefined;
  const { protocol, href } = new URL(plain);
  return /^(?:https?|file):$/.test(protocol) ? href : undefined;
}
