import { capital, isHeldText } from './names.ts';
import type { Making } from './sample.ts';

const TRIES = 1000;

/**
 * One of many wordings, written as "(please |)reverse (the|these) words": one alternative of each choice. Of all the
 * combinations, one in eight is held out for evaluation: its parts were seen in training, but never together.
 */
export function phrase(making: Making, grammar: string): string {
  for (let tries = 0; tries < TRIES; tries++) {
    const text = expand(making, grammar);
    if (isHeldText(text) === making.isHeld) return text;
  }
  throw new Error(`Too few wordings, or too many: "${grammar}"`);
}

/** What people type at the start of a line, mostly with a capital letter. */
export const begun = ({ dice }: Making, text: string) => (dice.chance(0.6) ? capital(text) : text);

/** A wording with its placeholders filled in: "{t}". */
export const filled = (text: string, places: Readonly<Record<string, string>>) =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => places[name] ?? '');

const expand = ({ dice }: Making, grammar: string) => expandBy((each) => dice.pick(each), grammar);

/** The wording with the first alternative of each choice. */
export const first = (grammar: string): string => expandBy(([choice = '']) => choice, grammar);

function expandBy(pick: (all: readonly string[]) => string, grammar: string): string {
  const choice = pick(choices(grammar));
  let text = '';
  for (let at = 0; at < choice.length; at++) {
    if (choice[at] !== '(') text += choice[at];
    else {
      const end = closing(choice, at);
      text += expandBy(pick, choice.slice(at + 1, end));
      at = end;
    }
  }
  return text;
}

const CHOICES = new Map<string, string[]>();

/** The text between bars that are not in parentheses. */
export function choices(grammar: string): string[] {
  const known = CHOICES.get(grammar);
  if (known) return known;
  const found = [''];
  for (let at = 0, depth = 0; at < grammar.length; at++) {
    const letter = grammar.charAt(at);
    if (letter === '(') depth++;
    if (letter === ')') depth--;
    if (letter === '|' && depth === 0) found.push('');
    else found.push((found.pop() ?? '') + letter);
  }
  CHOICES.set(grammar, found);
  return found;
}

function closing(text: string, open: number): number {
  for (let at = open, depth = 0; at < text.length; at++) {
    if (text[at] === '(') depth++;
    if (text[at] === ')' && --depth === 0) return at;
  }
  throw new Error(`A parenthesis is not closed: "${text}"`);
}
