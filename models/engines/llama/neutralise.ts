import { randomInt } from 'node:crypto';
import type { ChatMessage } from '../../../src/runtime/engine.ts';

/** A piece of a rendered prompt. Only a template may write control tokens, so what a message wrote is `literal`. */
export type PromptPart = { text: string; literal: boolean };

export type Neutraliser = (messages: readonly ChatMessage[]) => {
  messages: ChatMessage[];
  /** Cuts the rendered prompt where a message had the text of a control token. */
  split: (rendered: string) => PromptPart[];
};

/**
 * Keeps the texts of control tokens in messages from becoming control tokens. While the template renders, a mark stands
 * for each of them: private-use characters, which no filter trims, around a number that nobody can guess.
 */
export function createNeutraliser(controlTexts: readonly string[]): Neutraliser {
  const texts = controlTexts.filter((text) => text !== '').toSorted((a, b) => b.length - a.length);
  const controls = texts.length > 0 ? new RegExp(texts.map(escapeRegExp).join('|'), 'g') : undefined;
  return (messages) => {
    const found: string[] = [];
    const nonce = randomInt(2 ** 47);
    const mark = (text: string) => `\uE000${nonce}.${found.push(text) - 1}\uE001`;
    const marked = controls
      ? messages.map((message) => ({ ...message, content: message.content.replace(controls, mark) }))
      : [...messages];
    return {
      messages: marked,
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

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
