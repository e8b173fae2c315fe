import { sanitiseLine } from './sanitise.ts';

/** A hyperlink of the terminal (OSC 8), whose text stays as it is where it is not shown as one. */
export function linked(text: string, url: string): string {
  const target = targetOf(url);
  return target === undefined ? text : `\u001b]8;;${target}\u001b\\${text}\u001b]8;;\u001b\\`;
}

/** Addresses come from pages and models: only what a browser or an editor opens, and no control characters. */
function targetOf(url: string): string | undefined {
  const plain = sanitiseLine(url);
  if (!URL.canParse(plain)) return undefined;
  const { protocol, href } = new URL(plain);
  return /^(?:https?|file):$/.test(protocol) ? href : undefined;
}
