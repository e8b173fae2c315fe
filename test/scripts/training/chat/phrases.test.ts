import { describe, expect, it } from 'vitest';
import { createDice } from '../../../../scripts/training/chat/dice.ts';
import { filled, phrase } from '../../../../scripts/training/chat/phrases.ts';

const GRAMMAR =
  '(please |)(turn|flip|reverse) (these|the) words( around|)|(what is|show me) {t} (backwards|reversed)(|?)';
const said = (isHeld: boolean) => {
  const dice = createDice(3);
  return new Set(Array.from({ length: 600 }, () => phrase({ dice, isHeld }, GRAMMAR)));
};

describe('a wording made of parts', () => {
  it('is one of the choices of each part', () => {
    for (const text of said(false))
      expect(text).toMatch(
        /^((please )?(turn|flip|reverse) (these|the) words( around)?|(what is|show me) \{t\} (backwards|reversed)\??)$/,
      );
  });

  it('is never the same in training and in evaluation, and its parts are', () => {
    const [trained, held] = [said(false), said(true)];
    expect(held.size).toBeGreaterThan(0);
    expect(trained.size).toBeGreaterThan(held.size);
    for (const text of held) expect(trained).not.toContain(text);
    const parts = new Set([...trained].flatMap((text) => text.split(' ')));
    for (const part of [...held].flatMap((text) => text.split(' '))) expect(parts).toContain(part);
  });

  it('has its placeholders filled', () => {
    expect(filled('add {a} to {b}', { a: '1', b: '{a}' })).toBe('add 1 to {a}');
  });

  it('is refused if all or none of it would be kept', () => {
    const making = { dice: createDice(1), isHeld: true };
    expect(() => Array.from('ab', (only) => phrase(making, only))).toThrow('wordings');
  });
});
