import { CHECK, DICT, GIVE, LIST, work, type Snippet } from './snippet.ts';

const TWO = '(two lists|two arrays|two given lists|both lists|lists a and b)';

export const listSnippets: readonly Snippet[] = [
  work(
    'unique',
    `(remove|drop|delete|eliminate) (the |all |)(duplicates|repeated items|doubles) (from|in) ${LIST}|(return|get|keep) (only |)the (unique|distinct|different) (items|values) of ${LIST}`,
    ['(items) {\n  return [...new Set(items)];\n}', '(items):\n    return list(dict.fromkeys(items))'],
    [[[1, 2, 1, 3]], [1, 2, 3]],
  ),
  work(
    'reverse_list',
    `(reverse|flip|turn around|invert) (the order of |)${LIST}|${GIVE} ${LIST} (backwards|in reverse order|reversed)`,
    ['(items) {\n  return [...items].reverse();\n}', '(items):\n    return items[::-1]'],
    [[[1, 2, 3]], [3, 2, 1]],
  ),
  work(
    'sort_numbers',
    '(sort|order|arrange) (a list|an array|a list of numbers|an array of numbers|numbers|some numbers)( in ascending order| from small to large| ascending| from the smallest to the largest|)',
    [
      '(numbers) {\n  return [...numbers].sort((a, b) => a - b);\n}',
      '(numbers):\n    return sorted(numbers)',
    ],
    [[[10, 9, 1]], [1, 9, 10]],
  ),
  work(
    'sort_descending',
    '(sort|order|arrange) (a list|an array|a list of numbers|an array of numbers|numbers|some numbers) (in descending order|from large to small|descending|from the largest to the smallest)',
    [
      '(numbers) {\n  return [...numbers].sort((a, b) => b - a);\n}',
      '(numbers):\n    return sorted(numbers, reverse=True)',
    ],
    [[[10, 9, 11]], [11, 10, 9]],
  ),
  work(
    'first_item',
    `(return|give|get|find|take|pick) the first (item|element|value|entry) (of|in|from) ${LIST}`,
    ['(items) {\n  return items[0];\n}', '(items):\n    return items[0]'],
    [[[4, 5]], 4],
  ),
  work(
    'last_item',
    `(return|give|get|find|take|pick) the last (item|element|value|entry) (of|in|from) ${LIST}`,
    ['(items) {\n  return items[items.length - 1];\n}', '(items):\n    return items[-1]'],
    [[[4, 5]], 5],
  ),
  work(
    'first_items',
    `(return|give|get|take|pick) the first n (items|elements|values|entries) (of|in|from) ${LIST}`,
    ['(items, n) {\n  return items.slice(0, n);\n}', '(items, n):\n    return items[:n]'],
    [
      [[4, 5, 6], 2],
      [4, 5],
    ],
  ),
  work(
    'count_item',
    `(count|tell|say|find out) how often (an item|a value|an element|x) (is|occurs|appears|stands) in ${LIST}|count (the occurrences of|all) (an item|a value|an element) in ${LIST}`,
    [
      '(items, wanted) {\n  return items.filter((item) => item === wanted).length;\n}',
      '(items, wanted):\n    return items.count(wanted)',
    ],
    [[[1, 2, 1], 1], 2],
  ),
  work(
    'contains',
    `${CHECK} ${LIST} (contains|has|includes) (an item|a value|an element|x)|${CHECK} (an item|a value|an element|x) is in ${LIST}`,
    [
      '(items, wanted) {\n  return items.includes(wanted);\n}',
      '(items, wanted):\n    return wanted in items',
    ],
    [[[1, 2], 2], true],
    [[[1, 2], 3], false],
  ),
  work(
    'is_empty',
    `${CHECK} ${LIST} (is empty|has no items|has no elements|is without items)`,
    ['(items) {\n  return items.length === 0;\n}', '(items):\n    return len(items) == 0'],
    [[[]], true],
    [[[1]], false],
  ),
  work(
    'flatten',
    `flatten (a list of lists|nested lists|an array of arrays|nested arrays|a nested list|a nested array)|(turn|make|change) (a list of lists|nested lists|an array of arrays|nested arrays) into one (list|array)`,
    [
      '(lists) {\n  return lists.flat();\n}',
      '(lists):\n    return [item for items in lists for item in items]',
    ],
    [[[[1], [2, 3]]], [1, 2, 3]],
  ),
  work(
    'chunks',
    `(split|cut|divide|break) ${LIST} into (chunks|pieces|parts|groups) of (n|size n|n items|a given size)`,
    [
      '(items, n) {\n  const chunks = [];\n  for (let i = 0; i < items.length; i += n) {\n    chunks.push(items.slice(i, i + n));\n  }\n  return chunks;\n}',
      '(items, n):\n    return [items[i:i + n] for i in range(0, len(items), n)]',
    ],
    [
      [[1, 2, 3], 2],
      [[1, 2], [3]],
    ],
  ),
  work(
    'pairs',
    `(zip|pair|pair up|combine) (the items of |)${TWO}( into pairs|)|(make|build|return) pairs (of|from) ${TWO}`,
    [
      '(a, b) {\n  return a.map((item, i) => [item, b[i]]);\n}',
      '(a, b):\n    return [list(pair) for pair in zip(a, b)]',
    ],
    [
      [
        [1, 2],
        [3, 4],
      ],
      [
        [1, 3],
        [2, 4],
      ],
    ],
  ),
  work(
    'common_items',
    `${GIVE} (the common items|the shared items|the intersection|what is common|the common elements) of ${TWO}|(return|find|get) the items that are in ${TWO}`,
    [
      '(a, b) {\n  return a.filter((item) => b.includes(item));\n}',
      '(a, b):\n    return [item for item in a if item in b]',
    ],
    [
      [
        [1, 2, 3],
        [2, 3, 4],
      ],
      [2, 3],
    ],
  ),
  work(
    'missing_items',
    `${GIVE} the (items|values|elements|entries) of (one|the first|a) (list|array) that are (not in|missing in|missing from) (the other|another|the second)`,
    [
      '(a, b) {\n  return a.filter((item) => !b.includes(item));\n}',
      '(a, b):\n    return [item for item in a if item not in b]',
    ],
    [
      [[1, 2, 3], [2]],
      [1, 3],
    ],
  ),
  work(
    'join_words',
    `join (the words of a list|a list of words|words|a list of strings|an array of words|an array of strings) (with commas|by commas|into one string with commas|with a comma between them)`,
    ["(words) {\n  return words.join(', ');\n}", "(words):\n    return ', '.join(words)"],
    [[['a', 'b']], 'a, b'],
  ),
  work(
    'invert',
    `(invert|swap|exchange|flip|switch) (the |)keys and (the |)values of ${DICT}|invert ${DICT}`,
    [
      '(map) {\n  return Object.fromEntries(Object.entries(map).map(([key, value]) => [value, key]));\n}',
      '(map):\n    return {value: key for key, value in map.items()}',
    ],
    [[{ a: 'x', b: 'y' }], { x: 'a', y: 'b' }],
  ),
  work(
    'merge',
    `(merge|combine|join|unite) (two|both) (dictionaries|maps|objects)( into one|)|(make|build) one (dictionary|map|object) (of|from|out of) two`,
    ['(a, b) {\n  return { ...a, ...b };\n}', '(a, b):\n    return {**a, **b}'],
    [[{ a: 1 }, { b: 2 }], { a: 1, b: 2 }],
  ),
  work(
    'sum_values',
    `(sum|add up|total|sum up|add) (the|all|all the) values of ${DICT}|${GIVE} the (sum|total) of the values of ${DICT}`,
    [
      '(map) {\n  return Object.values(map).reduce((sum, value) => sum + value, 0);\n}',
      '(map):\n    return sum(map.values())',
    ],
    [[{ a: 1, b: 2 }], 3],
  ),
  work(
    'sorted_keys',
    `(return|give|get|list|find) (the|all|all the) keys of ${DICT} (sorted|in order|in alphabetical order|sorted by name)|sort the keys of ${DICT}`,
    ['(map) {\n  return Object.keys(map).sort();\n}', '(map):\n    return sorted(map)'],
    [[{ b: 1, a: 2 }], ['a', 'b']],
  ),
  work(
    'has_key',
    `${CHECK} ${DICT} (has|contains) (a key|a given key|the key)|${CHECK} (a key|a given key) is in ${DICT}`,
    ['(map, key) {\n  return key in map;\n}', '(map, key):\n    return key in map'],
    [[{ a: 1 }, 'a'], true],
    [[{ a: 1 }, 'b'], false],
  ),
];
