import { expect, test } from 'vitest';
import { normalise } from '../../../../models/engines/speech/normalise.ts';
import { toPieces } from '../../../../models/engines/speech/sentences.ts';

test.each([
  ['Dr. Smith paid $5.20.', 'Doctor Smith paid five dollars and twenty cents.'],
  ['It costs £1.01 or $3 million.', 'It costs one pound and one penny or three million dollars.'],
  ['On 2026-11-20 at 3:05 pm.', 'On November twentieth, twenty twenty six at three oh five P M.'],
  ['March 3rd, 2005, 14:30 and 9:00', "March third, two thousand five, fourteen thirty and nine o'clock"],
  ['In 1999, and in the 1980s', 'In nineteen ninety nine, and in the nineteen eighties'],
  [
    '1,234,567 of 3.14 are 50%',
    'one million two hundred thirty four thousand five hundred sixty seven of three point one four are fifty percent',
  ],
  ['1 km, 12 km/h and -5 °C', 'one kilometre, twelve kilometres per hour and minus five degrees Celsius'],
  ['the 21st of pages 10-12', 'the twenty first of pages ten to twelve'],
  ['See https://www.example.com/a-b.', 'See w w w dot example dot com slash a dash b.'],
  ['Mail me@test.org, e.g. today', 'Mail me at test dot org, for example today'],
  ['v1.2.3 of 007', 'version one point two point three of zero zero seven'],
  ['# Title *bold* & more', 'Title bold and more'],
  ['Nothing to change here', 'Nothing to change here'],
])('%s is spoken as %s', (text, said) => {
  expect(normalise(text)).toBe(said);
});

test('no text becomes silence, however odd', () => {
  for (const text of ['', '...', '$', '99999999999999999999', '31/31/2020', '25:99', '1.2.3.4.5', '\u0000']) {
    expect(typeof normalise(text)).toBe('string');
  }
});

test('a text is cut into sentences, and long sentences into clauses', () => {
  const pieces = toPieces(`One. Two!\n\nThree, ${'and a word '.repeat(40)}`);
  expect(pieces.slice(0, 2)).toEqual([
    { text: 'One.', pause: 0.3 },
    { text: 'Two!', pause: 0.6 },
  ]);
  expect(pieces.length).toBeGreaterThan(4);
  expect(pieces.every(({ text }) => text.length <= 210)).toBe(true);
});

test('the first piece of a text is short if possible, so that audio starts soon', () => {
  const long = 'and the people of the lower town carried what they had to the hill';
  const first = (text: string) => toPieces(text)[0]?.text;
  expect(first(`When the river rose at last, ${long}. Then it fell.`)).toBe('When the river rose at last,');
  expect(first(`So, when it rose, ${long}, ${long}.`)).toBe(`So, when it rose, ${long},`);
  expect(first('It rose, fell, and rose again.')).toBe('It rose, fell, and rose again.');
  expect(toPieces(`It rose. When the river fell at last, ${long}.`)).toHaveLength(2);
});
