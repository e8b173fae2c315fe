import { CHECK, GIVE, NUMBERS, work, type Snippet } from './snippet.ts';

const N = '(n|a number|a given number|an integer|the number)';

export const numberSnippets: readonly Snippet[] = [
  work(
    'add',
    `(add|sum|sum up) (two numbers|a and b|two values|two given numbers)|${GIVE} the sum of (two numbers|a and b|two values|two given numbers)`,
    ['(a, b) {\n  return a + b;\n}', '(a, b):\n    return a + b'],
    [[2, 3], 5],
    [[-1, 1], 0],
  ),
  work(
    'subtract',
    `(subtract|take away) (two numbers|b from a|one number from another|a number from another)|${GIVE} the difference (of|between) (two numbers|a and b|two values)`,
    ['(a, b) {\n  return a - b;\n}', '(a, b):\n    return a - b'],
    [[5, 3], 2],
  ),
  work(
    'multiply',
    `multiply (two numbers|a by b|a and b|two values|two given numbers)|${GIVE} the product of (two numbers|a and b|two values|two given numbers)`,
    ['(a, b) {\n  return a * b;\n}', '(a, b):\n    return a * b'],
    [[4, 3], 12],
  ),
  work(
    'square',
    `square ${N}|${GIVE} the square of ${N}|multiply ${N} by itself`,
    ['(n) {\n  return n * n;\n}', '(n):\n    return n * n'],
    [[5], 25],
  ),
  work(
    'power',
    `${GIVE} (x to the power of n|a power|the nth power of x|a number to a power)|raise (x|a number) to (the power of n|the nth power|a power|the power n)`,
    ['(x, n) {\n  return x ** n;\n}', '(x, n):\n    return x ** n'],
    [[2, 10], 1024],
  ),
  work(
    'absolute',
    `${GIVE} the (absolute value|magnitude|absolute) of ${N}|(drop|remove) the sign of ${N}`,
    ['(n) {\n  return Math.abs(n);\n}', '(n):\n    return abs(n)'],
    [[-4], 4],
  ),
  work(
    'clamp',
    `(clamp|limit|restrict|keep) ${N} (between|to|within) (a minimum and a maximum|two bounds|low and high|a range|two limits)`,
    [
      '(n, low, high) {\n  return Math.min(Math.max(n, low), high);\n}',
      '(n, low, high):\n    return min(max(n, low), high)',
    ],
    [[15, 0, 10], 10],
    [[-5, 0, 10], 0],
  ),
  work(
    'is_even',
    `${CHECK} ${N} is even|${CHECK} ${N} is (divisible by two|divisible by 2|an even number)`,
    ['(n) {\n  return n % 2 === 0;\n}', '(n):\n    return n % 2 == 0'],
    [[4], true],
    [[7], false],
  ),
  work(
    'is_odd',
    `${CHECK} ${N} is (odd|an odd number|not even)`,
    ['(n) {\n  return n % 2 !== 0;\n}', '(n):\n    return n % 2 != 0'],
    [[4], false],
    [[7], true],
  ),
  work(
    'is_positive',
    `${CHECK} ${N} is (positive|greater than zero|above zero|larger than 0)`,
    ['(n) {\n  return n > 0;\n}', '(n):\n    return n > 0'],
    [[4], true],
    [[-7], false],
  ),
  work(
    'factorial',
    `${GIVE} (the factorial of ${N}|n factorial|n!|a factorial)`,
    ['(n) {\n  return n < 2 ? 1 : n * NAME(n - 1);\n}', '(n):\n    return 1 if n < 2 else n * NAME(n - 1)'],
    [[5], 120],
    [[0], 1],
  ),
  work(
    'fibonacci',
    `${GIVE} (the nth fibonacci number|a fibonacci number|the fibonacci number of n|fibonacci of n|the fibonacci number n)`,
    [
      '(n) {\n  return n < 2 ? n : NAME(n - 1) + NAME(n - 2);\n}',
      '(n):\n    return n if n < 2 else NAME(n - 1) + NAME(n - 2)',
    ],
    [[10], 55],
  ),
  work(
    'is_prime',
    `${CHECK} ${N} is (prime|a prime|a prime number)|(check|test) (for a prime number|for primes|the primality of n)`,
    [
      '(n) {\n  for (let i = 2; i * i <= n; i++) {\n    if (n % i === 0) return false;\n  }\n  return n > 1;\n}',
      '(n):\n    for i in range(2, int(n ** 0.5) + 1):\n        if n % i == 0:\n            return False\n    return n > 1',
    ],
    [[13], true],
    [[12], false],
    [[1], false],
  ),
  work(
    'gcd',
    `${GIVE} the (greatest common divisor|gcd|largest common divisor|greatest common factor) of (two numbers|a and b|two integers)`,
    [
      '(a, b) {\n  return b === 0 ? a : NAME(b, a % b);\n}',
      '(a, b):\n    return a if b == 0 else NAME(b, a % b)',
    ],
    [[12, 18], 6],
  ),
  work(
    'digit_sum',
    `(sum|add up|add) (the digits|all digits|all the digits) of ${N}|${GIVE} the (sum of the digits|digit sum) of ${N}`,
    [
      '(n) {\n  return [...String(n)].reduce((sum, digit) => sum + Number(digit), 0);\n}',
      '(n):\n    return sum(int(digit) for digit in str(n))',
    ],
    [[123], 6],
  ),
  work(
    'to_fahrenheit',
    `(convert|turn|change) (celsius|degrees celsius|a temperature in celsius|a celsius temperature) (to|into) fahrenheit|${GIVE} (the temperature in fahrenheit|fahrenheit from celsius)`,
    ['(celsius) {\n  return (celsius * 9) / 5 + 32;\n}', '(celsius):\n    return celsius * 9 / 5 + 32'],
    [[100], 212],
  ),
  work(
    'to_celsius',
    `(convert|turn|change) (fahrenheit|degrees fahrenheit|a temperature in fahrenheit|a fahrenheit temperature) (to|into) celsius|${GIVE} (the temperature in celsius|celsius from fahrenheit)`,
    [
      '(fahrenheit) {\n  return ((fahrenheit - 32) * 5) / 9;\n}',
      '(fahrenheit):\n    return (fahrenheit - 32) * 5 / 9',
    ],
    [[212], 100],
  ),
  work(
    'sum_list',
    `(sum|add up|total|sum up|add) (all |)${NUMBERS}|${GIVE} the (sum|total) of ${NUMBERS}`,
    [
      '(numbers) {\n  return numbers.reduce((sum, n) => sum + n, 0);\n}',
      '(numbers):\n    return sum(numbers)',
    ],
    [[[1, 2, 3]], 6],
    [[[]], 0],
  ),
  work(
    'product',
    `multiply (all |together |)${NUMBERS}|${GIVE} the product of ${NUMBERS}`,
    [
      '(numbers) {\n  return numbers.reduce((product, n) => product * n, 1);\n}',
      '(numbers):\n    product = 1\n    for n in numbers:\n        product *= n\n    return product',
    ],
    [[[2, 3, 4]], 24],
  ),
  work(
    'average',
    `${GIVE} the (average|mean|arithmetic mean) of ${NUMBERS}|average ${NUMBERS}`,
    [
      '(numbers) {\n  return numbers.reduce((sum, n) => sum + n, 0) / numbers.length;\n}',
      '(numbers):\n    return sum(numbers) / len(numbers)',
    ],
    [[[1, 2, 3]], 2],
  ),
  work(
    'median',
    `${GIVE} the (median|middle value|middle number) of ${NUMBERS}`,
    [
      '(numbers) {\n  const sorted = [...numbers].sort((a, b) => a - b);\n  const middle = Math.floor(sorted.length / 2);\n  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;\n}',
      '(numbers):\n    ordered = sorted(numbers)\n    middle = len(ordered) // 2\n    if len(ordered) % 2:\n        return ordered[middle]\n    return (ordered[middle - 1] + ordered[middle]) / 2',
    ],
    [[[5, 1, 3]], 3],
    [[[4, 1, 3, 2]], 2.5],
  ),
  work(
    'largest',
    `${GIVE} the (largest|biggest|greatest|highest|maximum) (number|value|item) (of|in) ${NUMBERS}|${GIVE} the maximum of ${NUMBERS}`,
    ['(numbers) {\n  return Math.max(...numbers);\n}', '(numbers):\n    return max(numbers)'],
    [[[3, 9, 2]], 9],
  ),
  work(
    'smallest',
    `${GIVE} the (smallest|lowest|least|minimum) (number|value|item) (of|in) ${NUMBERS}|${GIVE} the minimum of ${NUMBERS}`,
    ['(numbers) {\n  return Math.min(...numbers);\n}', '(numbers):\n    return min(numbers)'],
    [[[3, 9, 2]], 2],
  ),
  work(
    'even_numbers',
    `(keep|filter|select|return|pick) (only |)the even (numbers|values|items) of ${NUMBERS}|(filter|remove|drop) (the |)odd numbers (from|out of) ${NUMBERS}`,
    [
      '(numbers) {\n  return numbers.filter((n) => n % 2 === 0);\n}',
      '(numbers):\n    return [n for n in numbers if n % 2 == 0]',
    ],
    [[[1, 2, 3, 4]], [2, 4]],
  ),
  work(
    'squares',
    `square (every number in a list|each number of a list|all numbers of an array|each item of an array|every item)|${GIVE} the squares of ${NUMBERS}`,
    [
      '(numbers) {\n  return numbers.map((n) => n * n);\n}',
      '(numbers):\n    return [n * n for n in numbers]',
    ],
    [[[1, 2, 3]], [1, 4, 9]],
  ),
  work(
    'running_totals',
    `${GIVE} (the |)(running totals|cumulative sums|running sums|partial sums) of ${NUMBERS}`,
    [
      '(numbers) {\n  let total = 0;\n  return numbers.map((n) => (total += n));\n}',
      '(numbers):\n    total = 0\n    totals = []\n    for n in numbers:\n        total += n\n        totals.append(total)\n    return totals',
    ],
    [[[1, 2, 3]], [1, 3, 6]],
  ),
  work(
    'number_range',
    `(return|give|get|make|create|build|list) (all numbers|the numbers|a list of the numbers|an array of the numbers) (from a to b|between a and b|from start to end|from one number to another)`,
    [
      '(a, b) {\n  return Array.from({ length: b - a + 1 }, (_, i) => a + i);\n}',
      '(a, b):\n    return list(range(a, b + 1))',
    ],
    [
      [2, 5],
      [2, 3, 4, 5],
    ],
  ),
];
