import { coin } from '../names.ts';
import { wording, type Making, type Sample, type Skill } from '../sample.ts';

type Snippet = { goals: readonly string[]; js: (name: string) => string; python: (name: string) => string };

/** The last goal of each is kept for evaluation. */
const SNIPPETS: readonly Snippet[] = [
  {
    goals: [
      'adds two numbers',
      'returns the sum of two numbers',
      'sums a and b',
      'gives back the sum of a and b',
    ],
    js: (name) => `function ${name}(a, b) {\n  return a + b;\n}`,
    python: (name) => `def ${name}(a, b):\n    return a + b`,
  },
  {
    goals: [
      'reverses a string',
      'returns a text backwards',
      'turns a string around',
      'gives back a string reversed',
    ],
    js: (name) => `function ${name}(text) {\n  return [...text].reverse().join('');\n}`,
    python: (name) => `def ${name}(text):\n    return text[::-1]`,
  },
  {
    goals: [
      'sums a list',
      'adds up the numbers of a list',
      'returns the total of a list',
      'computes the sum of an array',
    ],
    js: (name) => `function ${name}(numbers) {\n  return numbers.reduce((sum, each) => sum + each, 0);\n}`,
    python: (name) => `def ${name}(numbers):\n    return sum(numbers)`,
  },
  {
    goals: [
      'finds the largest number of a list',
      'returns the maximum',
      'gives the biggest number',
      'gets the highest number of a list',
    ],
    js: (name) => `function ${name}(numbers) {\n  return Math.max(...numbers);\n}`,
    python: (name) => `def ${name}(numbers):\n    return max(numbers)`,
  },
  {
    goals: [
      'says whether a number is even',
      'checks if a number is even',
      'tests whether n is even',
      'tells if a number is even',
    ],
    js: (name) => `function ${name}(n) {\n  return n % 2 === 0;\n}`,
    python: (name) => `def ${name}(n):\n    return n % 2 == 0`,
  },
  {
    goals: [
      'computes a factorial',
      'returns the factorial of n',
      'calculates n factorial',
      'gives the factorial of a number',
    ],
    js: (name) => `function ${name}(n) {\n  return n < 2 ? 1 : n * ${name}(n - 1);\n}`,
    python: (name) => `def ${name}(n):\n    return 1 if n < 2 else n * ${name}(n - 1)`,
  },
  {
    goals: [
      'counts the words of a text',
      'returns the number of words',
      'counts words',
      'tells how many words a text has',
    ],
    js: (name) => `function ${name}(text) {\n  return text.split(/\\s+/).filter(Boolean).length;\n}`,
    python: (name) => `def ${name}(text):\n    return len(text.split())`,
  },
  {
    goals: [
      'says whether a word is a palindrome',
      'checks for a palindrome',
      'tests if a text reads the same backwards',
      'tells if a word is a palindrome',
    ],
    js: (name) => `function ${name}(text) {\n  return text === [...text].reverse().join('');\n}`,
    python: (name) => `def ${name}(text):\n    return text == text[::-1]`,
  },
  {
    goals: [
      'removes duplicates from a list',
      'returns the unique items',
      'drops repeated items',
      'keeps each item of a list once',
    ],
    js: (name) => `function ${name}(items) {\n  return [...new Set(items)];\n}`,
    python: (name) => `def ${name}(items):\n    return list(dict.fromkeys(items))`,
  },
  {
    goals: [
      'computes a fibonacci number',
      'returns the nth fibonacci number',
      'calculates fibonacci of n',
      'gives the fibonacci number of n',
    ],
    js: (name) => `function ${name}(n) {\n  return n < 2 ? n : ${name}(n - 1) + ${name}(n - 2);\n}`,
    python: (name) => `def ${name}(n):\n    return n if n < 2 else ${name}(n - 1) + ${name}(n - 2)`,
  },
  {
    goals: [
      'says whether a number is prime',
      'checks if n is prime',
      'tests for a prime number',
      'tells whether a number is prime',
    ],
    js: (name) =>
      `function ${name}(n) {\n  for (let i = 2; i * i <= n; i++) if (n % i === 0) return false;\n  return n > 1;\n}`,
    python: (name) => `def ${name}(n):\n    return n > 1 and all(n % i for i in range(2, int(n ** 0.5) + 1))`,
  },
  {
    goals: [
      'computes the average of a list',
      'returns the mean',
      'calculates an average',
      'gives the mean of some numbers',
    ],
    js: (name) =>
      `function ${name}(numbers) {\n  return numbers.reduce((sum, each) => sum + each, 0) / numbers.length;\n}`,
    python: (name) => `def ${name}(numbers):\n    return sum(numbers) / len(numbers)`,
  },
];

type Asked = { question: string; isNamed: boolean };

function snippet(making: Making): Sample {
  const { dice } = making;
  const { goals, js, python } = dice.pick(SNIPPETS);
  const goal = wording(making, goals);
  const isPython = dice.chance(0.5);
  const language = isPython ? 'Python' : 'JavaScript';
  const name = coin(making, 2);
  const { question, isNamed } = wording<Asked>(
    making,
    [
      { question: `Write a ${language} function that ${goal}.`, isNamed: false },
      { question: `Write a function ${name} in ${language} that ${goal}.`, isNamed: true },
      { question: `${language} function ${name} that ${goal}`, isNamed: true },
      { question: `I need a ${language} function that ${goal}.`, isNamed: false },
      { question: `In ${language}, write ${name}, which ${goal}.`, isNamed: true },
      { question: `Show me a ${language} function named ${name} that ${goal}.`, isNamed: true },
    ],
    1,
  );
  const source = (isPython ? python : js)(isNamed ? name : 'work');
  return {
    messages: [{ role: 'user', content: question }],
    answer: `\`\`\`${isPython ? 'python' : 'js'}\n${source}\n\`\`\``,
  };
}

export const codeSkills: readonly Skill[] = [{ name: 'code', weight: 0.5, make: snippet }];
