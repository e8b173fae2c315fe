import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTextStream } from '../../../../../models/engines/llama/generation/text-stream.ts';

/** A vocabulary of pieces of bytes, one token each. */
function streamOf(pieces: readonly Uint8Array[]) {
  const stream = createTextStream((tokens) =>
    Buffer.concat(tokens.map((token) => pieces[token] ?? new Uint8Array())).toString('utf8'),
  );
  return pieces.map((_, token) => stream.push(token));
}

const bytes = (text: string) => Buffer.from(text, 'utf8');
const cutInto = (whole: Uint8Array, lengths: readonly number[]) => {
  const pieces: Uint8Array[] = [];
  for (let start = 0, index = 0; start < whole.length; index++) {
    const length = lengths[index % lengths.length] ?? 1;
    pieces.push(whole.subarray(start, start + length));
    start += length;
  }
  return pieces;
};
const lengths = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1 });

test('any text comes out whole, however its bytes are split into tokens', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), lengths, (text, cuts) => {
      // A replacement character at the very end cannot be told from half a character.
      const said = streamOf(cutInto(bytes(`${text}.`), cuts));
      expect(said.join('')).toBe(`${text}.`);
    }),
  );
});

test('no piece contains a character that is not in the text', () => {
  const said = streamOf(cutInto(bytes('aé世😀👩‍👧z'), [1]));
  expect(said.filter((text) => text !== '')).toEqual([...'aé世😀👩‍👧z']);
});

test('invalid bytes neither block the stream nor break what follows', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 100 }),
      fc.constantFrom(0x80, 0xff, 0xe2, 0xf0),
      lengths,
      (count, byte, cuts) => {
        const whole = Buffer.concat([Buffer.alloc(count, byte), bytes('世界 ok')]);
        expect(streamOf(cutInto(whole, cuts)).join('')).toBe(whole.toString('utf8'));
      },
    ),
  );
});

test('replacement characters that a model writes come out', () => {
  const text = `${'\uFFFD'.repeat(50)}.`;
  expect(streamOf(cutInto(bytes(text), [1, 2])).join('')).toBe(text);
});

test('a vocabulary that drops the first space of a text keeps those between words', () => {
  const words = [' Hello', ' wor', 'ld', ' again'];
  const stream = createTextStream((tokens) =>
    tokens
      .map((token) => words[token])
      .join('')
      .replace(/^ /, ''),
  );
  expect([0, 1, 2, 3].map((token) => stream.push(token))).toEqual(['Hello', ' wor', 'ld', ' again']);
});
