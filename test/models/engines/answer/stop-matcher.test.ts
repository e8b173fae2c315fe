import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createStopMatcher } from '../../../../models/engines/answer/stop-matcher.ts';

function run(pieces: readonly string[], stops: readonly string[]) {
  const matcher = createStopMatcher(stops);
  let shown = '';
  for (const piece of pieces) {
    const { text, stop } = matcher.push(piece);
    shown += text;
    if (stop) return { shown, stopped: true };
  }
  return { shown: shown + matcher.flush(), stopped: false };
}

const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '😀') });

test('cuts any text before the first occurrence of any stop text, however it is split', () => {
  fc.assert(
    fc.property(
      fc.array(letters),
      letters.filter((stop) => stop !== ''),
      (pieces, stop) => {
        const whole = pieces.join('');
        const at = whole.indexOf(stop);
        expect(run(pieces, [stop])).toEqual({
          shown: at === -1 ? whole : whole.slice(0, at),
          stopped: at !== -1,
        });
      },
    ),
  );
});

test('with several stop texts a split changes nothing', () => {
  fc.assert(
    fc.property(fc.array(letters), fc.array(letters, { maxLength: 4 }), (pieces, stops) => {
      expect(run(pieces, stops)).toEqual(run([...pieces.join('')], stops));
    }),
  );
});

test('holds back only what could begin a stop text', () => {
  const matcher = createStopMatcher(['###', 'END']);
  expect(matcher.push('a #')).toEqual({ text: 'a ' });
  expect(matcher.push('# b')).toEqual({ text: '## b' });
  expect(matcher.push('EN')).toEqual({ text: '' });
  expect(matcher.push('EN')).toEqual({ text: 'EN' });
  expect(matcher.flush()).toBe('EN');
  expect(matcher.flush()).toBe('');
});

test('stops at the stop text that is complete first', () => {
  expect(run(['xabcd'], ['abcd', 'bc'])).toEqual({ shown: 'xa', stopped: true });
  expect(run(['xabc'], ['c', 'abc'])).toEqual({ shown: 'x', stopped: true });
});
