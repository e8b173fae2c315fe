import { expect, test } from 'vitest';
import { codeBlocks } from '../../../../cli/output/markdown/code-blocks.ts';

test('finds fenced code, of any fence, up to the end of an open one', () => {
  const text = 'a\n```js\none\n```\nb `x`\n~~~~\n```\ntwo\n~~~\n~~~~\n```like this```\n```py\nthree';
  expect(codeBlocks(text)).toEqual([
    { language: 'js', code: 'one' },
    { language: '', code: '```\ntwo\n~~~' },
    { language: 'py', code: 'three' },
  ]);
  expect(codeBlocks('no code')).toEqual([]);
});
