import { CHECK, GIVE, TEXT, work, type Snippet } from './snippet.ts';

export const textSnippets: readonly Snippet[] = [
  work(
    'reverse_text',
    `(reverse|flip|turn around) ((a|the) (string|text|word)|the (letters|characters) of (a|the) (string|text|word))|${GIVE} (a|the) (string|text|word) (backwards|reversed)`,
    ["(text) {\n  return [...text].reverse().join('');\n}", '(text):\n    return text[::-1]'],
    [['abc'], 'cba'],
  ),
  work(
    'is_palindrome',
    `${CHECK} (a word|a string|a text|the text|the word) (is a palindrome|reads the same backwards|is the same backwards)|(check|test) for (a palindrome|palindromes)`,
    [
      "(text) {\n  return text === [...text].reverse().join('');\n}",
      '(text):\n    return text == text[::-1]',
    ],
    [['level'], true],
    [['abc'], false],
  ),
  work(
    'count_words',
    `count (the |all |)words (of|in) ${TEXT}|${GIVE} the number of words (of|in) ${TEXT}|(tell|say|count) how many words ${TEXT} has`,
    [
      '(text) {\n  return text.split(/\\s+/).filter(Boolean).length;\n}',
      '(text):\n    return len(text.split())',
    ],
    [['a b  c'], 3],
  ),
  work(
    'count_vowels',
    `count (the |all |)vowels (of|in) ${TEXT}|${GIVE} the number of vowels (of|in) ${TEXT}|(tell|say|count) how many vowels ${TEXT} has`,
    [
      '(text) {\n  return (text.match(/[aeiou]/gi) ?? []).length;\n}',
      "(text):\n    return sum(letter in 'aeiou' for letter in text.lower())",
    ],
    [['Banane'], 3],
  ),
  work(
    'count_letter',
    `count (how often a letter is|a letter|a character|how often a character occurs|the occurrences of a letter|the occurrences of a character|how often a letter appears) in ${TEXT}`,
    [
      '(text, letter) {\n  return text.split(letter).length - 1;\n}',
      '(text, letter):\n    return text.count(letter)',
    ],
    [['banana', 'a'], 3],
  ),
  work(
    'to_upper',
    `(convert|change|turn|make|put) ${TEXT} (to upper case|to uppercase|to capital letters|into upper case|into capitals|into uppercase)`,
    ['(text) {\n  return text.toUpperCase();\n}', '(text):\n    return text.upper()'],
    [['aB'], 'AB'],
  ),
  work(
    'to_lower',
    `(convert|change|turn|make|put) ${TEXT} (to lower case|to lowercase|to small letters|into lower case|into small letters|into lowercase)`,
    ['(text) {\n  return text.toLowerCase();\n}', '(text):\n    return text.lower()'],
    [['aB'], 'ab'],
  ),
  work(
    'capitalize',
    `(capitalize|capitalise) (a word|a string|the first letter of a word|the first letter of a string|a text|the first letter|the first letter of a text)|(make|turn) the first letter (of a word|of a string|of a text|) (upper case|uppercase|a capital)`,
    [
      '(text) {\n  return text.charAt(0).toUpperCase() + text.slice(1);\n}',
      '(text):\n    return text[:1].upper() + text[1:]',
    ],
    [['abC'], 'AbC'],
  ),
  work(
    'capitalize_words',
    `(capitalize|capitalise) (each|every|all the|all) (word|words) (of|in) ${TEXT}|(make|turn) ${TEXT} into (title case|a title)`,
    [
      "(text) {\n  return text\n    .split(' ')\n    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))\n    .join(' ');\n}",
      "(text):\n    return ' '.join(word[:1].upper() + word[1:] for word in text.split(' '))",
    ],
    [['red sky'], 'Red Sky'],
  ),
  work(
    'longest_word',
    `${GIVE} the longest word (of|in) ${TEXT}|${GIVE} the word with the most letters (of|in) ${TEXT}`,
    [
      "(text) {\n  return text.split(' ').reduce((a, b) => (b.length > a.length ? b : a));\n}",
      '(text):\n    return max(text.split(), key=len)',
    ],
    [['a long word'], 'long'],
  ),
  work(
    'remove_spaces',
    `(remove|delete|drop|strip) (all |the |all the |)(spaces|blanks|white space|whitespace) (from|of|in) ${TEXT}`,
    ["(text) {\n  return text.replace(/\\s+/g, '');\n}", "(text):\n    return ''.join(text.split())"],
    [['a b c'], 'abc'],
  ),
  work(
    'repeat_text',
    `repeat ${TEXT} (n times|several times|a number of times|a given number of times)|${GIVE} ${TEXT} n times`,
    ['(text, n) {\n  return text.repeat(n);\n}', '(text, n):\n    return text * n'],
    [['ab', 3], 'ababab'],
  ),
  work(
    'are_anagrams',
    `${CHECK} two (words|strings|texts) are anagrams( of each other|)|${CHECK} two (words|strings|texts) have the same letters`,
    [
      "(a, b) {\n  const sorted = (text) => [...text].sort().join('');\n  return sorted(a) === sorted(b);\n}",
      '(a, b):\n    return sorted(a) == sorted(b)',
    ],
    [['listen', 'silent'], true],
    [['a', 'b'], false],
  ),
  work(
    'shorten',
    `(shorten|truncate|cut|limit|cut off) ${TEXT} (to n characters|after n characters|to n letters|to a given length|to length n)`,
    ['(text, n) {\n  return text.slice(0, n);\n}', '(text, n):\n    return text[:n]'],
    [['abcdef', 3], 'abc'],
  ),
  work(
    'split_lines',
    `(split|cut|divide|break) ${TEXT} into (lines|its lines|a list of lines|an array of lines|single lines)`,
    ["(text) {\n  return text.split('\\n');\n}", "(text):\n    return text.split('\\n')"],
    [['a\nb'], ['a', 'b']],
  ),
  work(
    'split_words',
    `(split|cut|divide|break) ${TEXT} into (words|its words|a list of words|an array of words|single words)`,
    ['(text) {\n  return text.split(/\\s+/).filter(Boolean);\n}', '(text):\n    return text.split()'],
    [['a b'], ['a', 'b']],
  ),
  work(
    'starts_with',
    `${CHECK} ${TEXT} (starts with|begins with) (a prefix|another|a given text|another string)`,
    [
      '(text, start) {\n  return text.startsWith(start);\n}',
      '(text, start):\n    return text.startswith(start)',
    ],
    [['abc', 'ab'], true],
    [['abc', 'b'], false],
  ),
  work(
    'replace_text',
    `replace (a word|one text|a string|one word|a substring) (by|with) another (in|inside) ${TEXT}`,
    [
      '(text, old, next) {\n  return text.replaceAll(old, next);\n}',
      '(text, old, next):\n    return text.replace(old, next)',
    ],
    [['a b a', 'a', 'c'], 'c b c'],
  ),
  work(
    'word_counts',
    `count (how often each word occurs|each word|how often every word is|every word|the frequency of each word|how often each word appears) in ${TEXT}|${GIVE} the word frequencies of ${TEXT}`,
    [
      '(text) {\n  const counts = {};\n  for (const word of text.split(/\\s+/).filter(Boolean)) {\n    counts[word] = (counts[word] ?? 0) + 1;\n  }\n  return counts;\n}',
      '(text):\n    counts = {}\n    for word in text.split():\n        counts[word] = counts.get(word, 0) + 1\n    return counts',
    ],
    [['a b a'], { a: 2, b: 1 }],
  ),
  work(
    'is_leap_year',
    `${CHECK} (a year|the year|a given year) is a leap year|(check|test) (for a leap year|for leap years|a year for being a leap year)`,
    [
      '(year) {\n  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;\n}',
      '(year):\n    return (year % 4 == 0 and year % 100 != 0) or year % 400 == 0',
    ],
    [[2024], true],
    [[1900], false],
    [[2000], true],
  ),
  work(
    'days_in_month',
    `${GIVE} (the number of days in|the days of|the length of|how many days are in|the number of days of) (a|the|a given) month`,
    [
      '(year, month) {\n  return new Date(Date.UTC(year, month, 0)).getUTCDate();\n}',
      '(year, month):\n    import calendar\n    return calendar.monthrange(year, month)[1]',
    ],
    [[2024, 2], 29],
    [[2023, 4], 30],
  ),
  work(
    'format_time',
    `(format|write|show|print) (seconds|a number of seconds|n seconds) as (minutes and seconds|mm:ss|a time|m:ss)|(convert|turn) (seconds|a number of seconds|n seconds) (into|to) (minutes and seconds|mm:ss|m:ss)`,
    [
      "(seconds) {\n  const rest = String(seconds % 60).padStart(2, '0');\n  return `${Math.floor(seconds / 60)}:${rest}`;\n}",
      "(seconds):\n    return f'{seconds // 60}:{seconds % 60:02d}'",
    ],
    [[125], '2:05'],
  ),
];
