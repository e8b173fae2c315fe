import { randomInt } from 'node:crypto';

/** A piece of a rendered prompt. Only a template may write control tokens, so a message's own text is `literal`. */
export type PromptPart = { text: string; literal: boolean };

export type Neutraliser = <Value>(value: Value) => {
  /** The value with placeholders instead of control token texts, in every string. */
  neutral: Value;
  /** Matches the texts of control tokens; undefined if there are none. */
  controls: RegExp | undefined;
  /** A placeholder for such a text. */
  mark: (text: string) => string;
  /** Splits the rendered prompt at the texts of control tokens. */
  split: (rendered: string) => PromptPart[];
};

/**
 * Keeps the texts of control tokens in client input from becoming control tokens. While the template renders, each is
 * replaced by a placeholder: private-use characters, which no filter trims, around an unguessable number.
 */
export function createNeutraliser(controlTexts: readonly string[]): Neutraliser {
  const texts = controlTexts.filter((text) => text !== '').toSorted((a, b) => b.length - a.length);
  const controls = texts.length > 0 ? new RegExp(texts.map(escapeRegExp).join('|'), 'g') : undefined;
  return (value) => {
    const found: string[] = [];
    const nonce = randomInt(2 ** 47);
    const mark = (text: string) => `\uE000${nonce}.${found.push(text) - 1}\uE001`;
    return {
      neutral: controls ? mapStrings(value, (text) => text.replace(controls, mark)) : value,
      controls,
      mark,
      split(rendered) {
        if (found.length === 0) return [{ text: rendered, literal: false }];
        const pieces = rendered.split(new RegExp(`\uE000${nonce}\\.(\\d+)\uE001`));
        return pieces
          .map((piece, index) =>
            index % 2 === 1
              ? { text: found[Number(piece)] ?? '', literal: true }
              : { text: piece, literal: false },
          )
          .filter((part) => part.text !== '');
      },
    };
  };
}

/** Property names of a schema are client input too. */
function mapStrings<Value>(value: Value, change: (text: string) => string): Value {
  if (typeof value === 'string') return change(value) as Value;
  if (Array.isArray(value)) return value.map((item: unknown) => mapStrings(item, change)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [change(name), mapStrings(item as unknown, change)]),
  ) as Value;
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
