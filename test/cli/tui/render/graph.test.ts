import { expect, test } from 'vitest';
import { drawGraph, valuesIn } from '../../../../cli/tui/render/graph.ts';
import { chooseGlyphs } from '../../../../cli/tui/render/theme.ts';

const dots = chooseGlyphs({ LANG: 'C.UTF-8' }, 'linux');
const blocks = chooseGlyphs({ LANG: 'C.UTF-8' }, 'win32');
const ascii = chooseGlyphs({ LANG: 'C' }, 'linux');

test('the greatest value fills the height, zero is the lowest line, and what is unknown stays empty', () => {
  expect(drawGraph([undefined, undefined, 0, 1, 2, 4], { width: 4, height: 1 }, dots)).toEqual(['  ⣀⣼']);
  expect(drawGraph([undefined, 0, 2, 4], { width: 4, height: 1 }, blocks)).toEqual([' ▁▄█']);
  expect(drawGraph([undefined, 0, 2, 4], { width: 4, height: 1 }, ascii)).toEqual([' .=#']);
});

test('of more rows, each adds its levels', () => {
  expect(drawGraph([4, 8], { width: 1, height: 2 }, dots)).toEqual(['⢸', '⣿']);
  expect(drawGraph([1, 2], { width: 2, height: 2 }, blocks)).toEqual([' █', '██']);
});

test('only zeros are a line, not a full graph', () => {
  expect(drawGraph([0, 0], { width: 1, height: 1 }, dots)).toEqual(['⣀']);
});

test('a letter has two values of dots or one bar, and the latest are shown', () => {
  expect([valuesIn(5, dots), valuesIn(5, blocks)]).toEqual([10, 5]);
  expect(drawGraph([9, 9, 0, 1], { width: 2, height: 1 }, blocks)).toEqual(['▁█']);
});

test('Windows Terminal has braille, the old console does not', () => {
  expect(chooseGlyphs({ WT_SESSION: '1' }, 'win32').graph).toBe('dots');
  expect(blocks.graph).toBe('bars');
  expect(blocks.spinner.join('')).not.toMatch(/[⠀-⣿]/);
});
