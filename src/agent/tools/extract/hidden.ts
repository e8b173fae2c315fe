/** The few DOM types needed here: linkedom's own are loose. */
export type Element = {
  tagName: string;
  textContent: string | null;
  children: ArrayLike<Element>;
  childNodes: ArrayLike<Node>;
  getAttribute(name: string): string | null;
  hasAttribute(name: string): boolean;
  querySelector(selector: string): Element | null;
  querySelectorAll(selector: string): ArrayLike<Element> & Iterable<Element>;
  remove(): void;
};
export type Node = { nodeType: number; textContent: string | null };

const NEVER_SEEN =
  'script, style, noscript, template, iframe, object, embed, svg, canvas, [hidden], [aria-hidden="true"]';
const HIDING = [
  /display\s*:\s*none/,
  /visibility\s*:\s*(?:hidden|collapse)/,
  /font-size\s*:\s*0(?:\.0+)?(?:px|em|rem|pt|%)?\s*(?:;|!|$)/,
  /opacity\s*:\s*0(?:\.0+)?\s*(?:;|!|$)/,
  /(?:left|top|right|text-indent|margin-left)\s*:\s*-\d{3,}/,
  /clip\s*:\s*rect\(\s*0|clip-path\s*:\s*inset\(\s*(?:50|100)%/,
];
const RULES_MAX = 300;

/** Removes what a person looking at the page does not see, because it may be meant only for a model. */
export function dropHidden(document: Element): void {
  const sheet = Array.from(document.querySelectorAll('style'), ({ textContent }) => textContent ?? '').join(
    '\n',
  );
  for (const selector of hidingSelectors(sheet)) removeAll(document, selector);
  removeAll(document, NEVER_SEEN);
  for (const element of document.querySelectorAll('[style]')) {
    if (isHiding(element.getAttribute('style') ?? '')) element.remove();
  }
}

function hidingSelectors(sheet: string): string[] {
  const plain = sheet.replace(/\/\*[\s\S]*?\*\//g, '').replace(/@[^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}/g, '');
  return Array.from(plain.matchAll(/([^{}]+)\{([^{}]*)\}/g))
    .filter(([, , declarations = '']) => isHiding(declarations))
    .slice(0, RULES_MAX)
    .map(([, selector = '']) => selector.trim());
}

function removeAll(document: Element, selector: string): void {
  try {
    for (const element of document.querySelectorAll(selector)) {
      if (!['HTML', 'BODY', 'HEAD'].includes(element.tagName)) element.remove();
    }
  } catch {
    // An invalid selector hides nothing here.
  }
}

function isHiding(style: string): boolean {
  const text = style.toLowerCase();
  return HIDING.some((pattern) => pattern.test(text)) || isInkOnItself(text);
}

/** Text in the colour of its background. */
function isInkOnItself(style: string): boolean {
  const ink = colour(/(?:^|[;\s])color\s*:\s*([^;!]+)/.exec(style)?.[1]);
  const ground = colour(/background(?:-color)?\s*:\s*([^;!]+)/.exec(style)?.[1]);
  if (ink === undefined) return false;
  return ink === 'transparent' || ink === (ground ?? '#ffffff');
}

const NAMED: Record<string, string> = { white: '#ffffff', black: '#000000' };

function colour(text: string | undefined): string | undefined {
  const value = text?.trim();
  if (value === undefined) return undefined;
  if (/^rgba\(.*,\s*0(?:\.0+)?\s*\)$/.test(value)) return 'transparent';
  const rgb = /^rgba?\((\d+)\D+(\d+)\D+(\d+)/.exec(value)?.slice(1);
  if (rgb) return `#${rgb.map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`;
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/.exec(value)?.slice(1);
  if (short) return `#${short.map((digit) => digit + digit).join('')}`;
  return NAMED[value] ?? value;
}
