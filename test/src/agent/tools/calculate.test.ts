import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { calculate } from '../../../../src/agent/tools/calculate.ts';

describe('a calculation', () => {
  test.each([
    ['1 + 2 * 3', '7'],
    ['(1 + 2) * 3', '9'],
    ['0.1 + 0.2', '0.3'],
    ['1/3 + 1/6', '0.5'],
    ['1 / 3', '0.333333333333 (1/3)'],
    ['-1 / 3', '-0.333333333333 (-1/3)'],
    ['2 ^ 3 ^ 2', '512'],
    ['-2 ^ 2', '-4'],
    ['2 ^ -2', '0.25'],
    ['2 ** 100', '1267650600228229401496703205376'],
    ['1,234,567 × 2', '2469134'],
    ['1.5e3 ÷ 4', '375'],
    ['15% of 80', '12'],
    ['200 + 10%', '200.1'],
    ['17 % 5', '2'],
    ['-7 mod 3', '2'],
    ['sqrt(2)', '≈ 1.414213562373'],
    ['sqrt(144) + sqrt(9/4)', '13.5'],
    ['round(2/3, 2)', '0.67'],
    ['round(-2.5)', '-3'],
    ['max(3, 9, 4) - min(3, 9, 4)', '6'],
    ['avg(1, 2, 4)', '2.333333333333 (7/3)'],
    ['abs(floor(-1.5)) + ceil(1.2)', '4'],
    ['2021-02-06 - 2020-01-05', '398 days'],
    ['2024-02-28 + 2 days', '2024-03-01'],
    ['2024-03-01 - 1', '2024-02-29'],
    ['2020 - 1 - 5', '2014'],
    ['90 minutes + 30 min', '2 hours'],
    ['2 weeks in days', '14 days'],
    ['90 min in hours', '1.5 hours'],
    ['12 × 7 =', '84'],
  ])('%s is %s', (expression, result) => {
    expect(calculate(expression)).toBe(result);
  });

  test.each([
    ['1 / 0', 'division by zero'],
    ['2 +', 'the expression is incomplete'],
    ['(2', 'a bracket is not closed'],
    ['3 days 4', 'unexpected number'],
    ['2 )', 'unexpected ")"'],
    ['process(1)', '"process" is unknown'],
    ['constructor(1)', '"constructor" is unknown'],
    ['globalThis["x"]', 'cannot evaluate "["x"]"'],
    ['9 ^ 99999', 'the number becomes too large'],
    ['9 ^ 9 ^ 9 ^ 9', 'the number becomes too large'],
    ['2023-02-29 + 1', '2023-02-29 is not a valid date'],
    ['2 ^ 0.5', 'an exponent must be a whole number; use sqrt(x) for roots'],
    ['sqrt(0 - 1)', 'the square root of a negative number'],
    ['('.repeat(200) + '1', 'brackets are nested too deeply'],
    ['1'.repeat(600), 'longer than 500 characters'],
    ['3 hours + 2', 'a duration and a plain number cannot be added'],
    ['', 'the expression is incomplete'],
  ])('%s is refused: %s', (expression, message) => {
    expect(() => calculate(expression)).toThrow(message);
  });

  test('agrees with exact integer arithmetic, whatever the brackets', () => {
    const leaf = fc
      .integer({ min: -999, max: 999 })
      .map((n) => ({ text: n < 0 ? `(${n})` : `${n}`, value: BigInt(n) }));
    type Node = { text: string; value: bigint };
    const { tree } = fc.letrec<{ tree: Node }>((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        leaf,
        fc.tuple(tie('tree'), fc.constantFrom('+', '-', '*'), tie('tree')).map(([a, operator, b]) => ({
          text: `(${a.text} ${operator} ${b.text})`,
          value:
            operator === '+' ? a.value + b.value : operator === '-' ? a.value - b.value : a.value * b.value,
        })),
      ),
    }));
    fc.assert(
      fc.property(tree, ({ text, value }) => {
        fc.pre(text.length <= 500);
        expect(calculate(text)).toBe(value.toString());
      }),
    );
  });

  test('answers every text, and quickly', () => {
    const piece = fc.constantFrom(
      ...[
        '1',
        '2.5',
        '(',
        ')',
        '+',
        '-',
        '*',
        '/',
        '^',
        '%',
        ',',
        'sqrt',
        'days',
        'of',
        'in',
        '2020-01-01',
        ' ',
      ],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        try {
          expect(calculate(pieces.join(''))).not.toContain('NaN');
        } catch (error) {
          expect((error as Error).name).toBe('CalculationError');
        }
      }),
      { numRuns: 500 },
    );
  });
});
