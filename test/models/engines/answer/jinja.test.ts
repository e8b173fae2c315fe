import { describe, expect, test } from 'vitest';
import { strftime } from '../../../../models/engines/answer/template/jinja/strftime.ts';
import { compileTemplate } from '../../../../models/engines/answer/template/jinja/template.ts';

const render = (source: string, variables: Record<string, unknown> = {}) =>
  compileTemplate(source)(variables);

describe('a template renders as in Python', () => {
  test.each([
    ['nothing can be looped over', '{% for x in nothing %}{{ x }}{% endfor %}.', '.'],
    ['and has a length', '{{ nothing | length }}', '0'],
    ['and can be filtered', "{{ none | selectattr('type', 'equalto', 'x') | list | length }}", '0'],
    ['and is an empty text', "{{ nothing | trim }}{{ 'a: ' + nothing }}", 'a: '],
    ['objects have numbers for keys', '{% set o = {10: 1, 9: 2} %}{{ o[10] }}', '1'],
    [
      'which keep their order as numbers',
      '{% for k, v in {10: 1, 9: 2} | dictsort %}{{ k + 0 }}={{ v }} {% endfor %}',
      '9=2 10=1 ',
    ],
    ['pairs are unpacked', "{% for a, b in [('x', 1)] %}{{ a }}{{ b }}{% endfor %}", 'x1'],
    ['texts are filled in', "{{ '<{}|{1}>'.format('a', 'b') }}", '<a|b>'],
    ['texts know their ends', "{{ 'a.b'.removesuffix('.b').removeprefix('x') }}", 'a'],
    ['texts are repeated', "{{ '-' * 3 }}", '---'],
    [
      'lists grow and shrink',
      '{% set l = [] %}{% set _ = l.append(7) %}{{ l.pop(0) }}{{ l | length }}',
      '70',
    ],
    ['filters go over lists', "{{ ['a', 'b'] | map('upper') | list | join }}", 'AB'],
    ['lists are looked for in lists', "{{ ['a'] in [['a'], 'b'] }}", 'true'],
    ['the least is found', '{{ [3, 1, 2] | min }}', '1'],
    ['methods come before keys', '{% for k, v in o.items() %}{{ k }}{% endfor %}', 'items'],
    ['ranges count', '{% for i in range(3, 0, -1) %}{{ i }}{% endfor %}', '321'],
  ])('%s', (_, source, expected) => {
    expect(render(source, { o: { items: 1 } })).toBe(expected);
  });

  test('an exception raised by the template is thrown', () => {
    expect(() => render("{{ raise_exception('no') }}")).toThrow('no');
  });
});

test.each([
  ['%Y-%m-%d %H:%M:%S', '2026-03-07 04:05:06'],
  ['%d %b %Y, %A', '07 Mar 2026, Saturday'],
  ['%B %-d', 'March 7'],
  ['%y/%j %I %p %a %F %T %%', '26/066 04 AM Sat 2026-03-07 04:05:06 %'],
  ['%q', '%q'],
])('a date as %s', (format, expected) => {
  expect(strftime(new Date(2026, 2, 7, 4, 5, 6), format)).toBe(expected);
});
