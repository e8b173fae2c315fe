import { expect, test } from 'vitest';
import {
  collect,
  commaList,
  integerBetween,
  numberBetween,
  timestamp,
} from '../../../cli/command-line/arguments.ts';

test('whole numbers are read strictly', () => {
  const parse = integerBetween(0, 100);
  expect(parse('42')).toBe(42);
  for (const text of ['', '4.2', '1e1', '0x10', '101', '-1', 'ten'])
    expect(() => parse(text)).toThrow('from 0 to 100');
});

test('numbers stay within their range', () => {
  const parse = numberBetween(0, 2);
  expect([parse('0'), parse('0.7'), parse('2')]).toEqual([0, 0.7, 2]);
  for (const text of ['', ' ', '2.1', '-0.1', 'NaN', 'hot']) expect(() => parse(text)).toThrow('from 0 to 2');
});

test('a list has commas, and no empty names', () => {
  expect(commaList('chat, read')).toEqual(['chat', 'read']);
  expect(() => commaList('chat,,read')).toThrow('comma-separated');
});

test('a repeated option keeps every value', () => {
  expect(collect('b', collect('a'))).toEqual(['a', 'b']);
});

test('a date in any form becomes the timestamp that the server takes', () => {
  expect(timestamp('2027-01-31T12:00:00+01:00')).toBe('2027-01-31T11:00:00.000Z');
  expect(timestamp('2027-01-31')).toBe('2027-01-31T00:00:00.000Z');
  expect(() => timestamp('tomorrow')).toThrow('2027-01-31');
});
