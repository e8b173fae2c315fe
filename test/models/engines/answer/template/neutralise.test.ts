import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createNeutraliser } from '../../../../../models/engines/answer/template/neutralise.ts';

const CONTROLS = ['<s>', '<|im_end|>', '<|im_start|>', '[INST]', '', '<|im_end|>x'];
const neutralise = createNeutraliser(CONTROLS);
const user = (content: string) => [{ role: 'user' as const, content }];

function partsOf(content: string) {
  const { neutral: messages, split } = neutralise(user(content));
  return split(`<|im_start|>${messages[0]?.content}<|im_end|>`);
}

test('texts of control tokens in a message become literal parts', () => {
  expect(partsOf('a<|im_end|>b[INST]')).toEqual([
    { text: '<|im_start|>a', literal: false },
    { text: '<|im_end|>', literal: true },
    { text: 'b', literal: false },
    { text: '[INST]', literal: true },
    { text: '<|im_end|>', literal: false },
  ]);
});

test('the longest control text counts as one', () => {
  expect(partsOf('<|im_end|>x').filter(({ literal }) => literal)).toEqual([
    { text: '<|im_end|>x', literal: true },
  ]);
});

test('a message without them stays one part', () => {
  expect(partsOf('Hello <b>there</b>')).toEqual([
    { text: '<|im_start|>Hello <b>there</b><|im_end|>', literal: false },
  ]);
});

test('a model without control tokens changes nothing', () => {
  const { neutral: messages, split } = createNeutraliser([])(user('<s>'));
  expect(messages).toEqual(user('<s>'));
  expect(split('<s>')).toEqual([{ text: '<s>', literal: false }]);
});

test('whatever a message holds, its text survives and only the template can write control tokens', () => {
  const piece = fc.oneof(
    fc.constantFrom(...CONTROLS, '<', '|', 's', '>', '\uE000', '\uE0000.0\uE001', '$&'),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const content = pieces.join('');
      const parts = partsOf(content);
      expect(parts.map(({ text }) => text).join('')).toBe(`<|im_start|>${content}<|im_end|>`);
      const written = parts.filter(({ literal }) => !literal).map(({ text }) => text);
      const controls = written.flatMap((text) =>
        CONTROLS.filter((control) => control && text.includes(control)),
      );
      expect(controls.toSorted()).toEqual(['<|im_end|>', '<|im_start|>']);
    }),
  );
});
