import { expect, test } from 'vitest';
import { readYaml } from '../../../src/config/yaml.ts';
import { Failure } from '../../../src/base/errors.ts';

const mistake = (line: number, what: string) => new Failure('config_invalid', `line ${line}: ${what}`);
const read = (source: string) => readYaml(source, mistake);

test('each part of a value has the line where it begins, or else that of its surroundings', () => {
  const { value, lineOf } = read('rules:\n  - when: { contains: a }\n  - answer:\n      text: b\n');
  expect(value).toEqual({ rules: [{ when: { contains: 'a' } }, { answer: { text: 'b' } }] });
  expect([['rules', 0], ['rules', 1, 'answer', 'text'], ['rules', 1, 'nothing'], []].map(lineOf)).toEqual([
    2, 4, 3, 1,
  ]);
});

test('JSON is valid YAML, also as programs write it', () => {
  expect(read('{"a": [1, "two"]}').value).toEqual({ a: [1, 'two'] });
  const { value, lineOf } = read('{"a":[1,"two"]}');
  expect(value).toEqual({ a: [1, 'two'] });
  expect(lineOf(['a', 1])).toBe(1);
});

test('a duplicate name is an error, in JSON too', () => {
  expect(() => read('{"a":1,"a":2}')).toThrow(/^line 1: .*unique/);
});

test('invalid YAML is an error with its line', () => {
  expect(() => read('a: 1\nb: [1,\n')).toThrow(/^line [23]: /);
});

test('aliases that multiply excessively are an error', () => {
  const levels = Array.from({ length: 12 }, (_, index) => {
    const above = `*l${index - 1}`;
    return `l${index}: &l${index} [${index === 0 ? 'x' : Array(10).fill(above).join(', ')}]`;
  });
  expect(() => read(levels.join('\n'))).toThrow(/^line 1: .*alias/i);
});
