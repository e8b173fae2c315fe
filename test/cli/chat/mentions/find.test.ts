import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findMentions, mentionOf, unfinishedMention } from '../../../../cli/chat/mentions/find.ts';

const path = fc.stringMatching(/^[\w./"\\ ()äß-]{1,20}$/).filter((each) => each.trim() === each);
const found = (text: string) => findMentions(text).map(({ paths }) => paths);

test('every path is found in a message as it is completed, wherever in a sentence it stands', () => {
  fc.assert(
    fc.property(fc.array(path, { minLength: 1, maxLength: 3 }), (paths) => {
      const mentions = paths.map(mentionOf);
      for (const text of [mentions.join(' '), `(${mentions.join('\nand (')} ?`])
        expect(found(text).map(([first]) => first)).toEqual(paths);
    }),
  );
});

test('the mention typed so far is completed, whatever comes before it', () => {
  fc.assert(
    fc.property(path, fc.constantFrom('', 'see ', 'one\n', '('), (wanted, before) => {
      const written = mentionOf(wanted);
      expect(unfinishedMention(before + written)).toEqual({ written, path: wanted });
      expect(unfinishedMention(`${before}${written} `)).toBeUndefined();
    }),
  );
});

test('what ends a sentence may belong to it, and quotes hold spaces', () => {
  expect(found('Is @src/a.ts right? And (@b.ts), @"my notes.txt".')).toEqual([
    ['src/a.ts'],
    ['b.ts),', 'b.ts'],
    ['my notes.txt'],
  ]);
  expect(found('Read @README.')).toEqual([['README.', 'README']]);
  expect(unfinishedMention('see @"my no')).toEqual({ written: '@"my no', path: 'my no' });
  expect(unfinishedMention('see @"my notes.txt"')).toBeUndefined();
});

test('an address, or an @ alone, mentions nothing', () => {
  expect(found('mail me@example.com, 5 @ 3')).toEqual([]);
  expect(unfinishedMention('me@example')).toBeUndefined();
  expect(unfinishedMention('at @')).toEqual({ written: '@', path: '' });
});
