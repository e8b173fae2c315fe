import type { Snippet } from './snippet.ts';

const PRINT = '(print|show|write|output|log)';

/** Lines that print, and classes. */
export const programSnippets: readonly Snippet[] = [
  {
    kind: 'lines',
    name: 'count up',
    goals: `${PRINT} (the |all |)numbers (from 1 to 10|from one to ten|1 to 10|between 1 and 10)|count (from 1 to 10|from one to ten|up to 10|to ten)`,
    js: 'for (let i = 1; i <= 10; i++) {\n  console.log(i);\n}',
    python: 'for i in range(1, 11):\n    print(i)',
    examples: [[[], '1\n2\n3\n4\n5\n6\n7\n8\n9\n10']],
  },
  {
    kind: 'lines',
    name: 'count down',
    goals: `${PRINT} (a|the) countdown( from 10| from ten| from 10 to 1|)|count (down from 10|down from ten|backwards from 10|from 10 down to 1|from ten to one)|${PRINT} the numbers (from 10 to 1|10 to 1 backwards|from ten to one)`,
    js: 'for (let i = 10; i >= 1; i--) {\n  console.log(i);\n}',
    python: 'for i in range(10, 0, -1):\n    print(i)',
    examples: [[[], '10\n9\n8\n7\n6\n5\n4\n3\n2\n1']],
  },
  {
    kind: 'lines',
    name: 'fizzbuzz',
    goals: `(solve|play|do|implement|run|write) (fizzbuzz|fizz buzz|the fizzbuzz problem|the game fizzbuzz)( up to 15| to 15| for 1 to 15|)|${PRINT} (fizzbuzz|fizz buzz)( up to 15| to 15|)`,
    js: "for (let i = 1; i <= 15; i++) {\n  console.log((i % 3 ? '' : 'Fizz') + (i % 5 ? '' : 'Buzz') || i);\n}",
    python: "for i in range(1, 16):\n    print(('' if i % 3 else 'Fizz') + ('' if i % 5 else 'Buzz') or i)",
    examples: [[[], '1\n2\nFizz\n4\nBuzz\nFizz\n7\n8\nFizz\nBuzz\n11\nFizz\n13\n14\nFizzBuzz']],
  },
  {
    kind: 'lines',
    name: 'times table',
    goals: `${PRINT} (the|a) (times table|multiplication table|table) (of 7|of seven|for 7|for seven)|${PRINT} (the |)multiples of (7|seven)( up to 70|)`,
    js: 'for (let i = 1; i <= 10; i++) {\n  console.log(`${i} x 7 = ${i * 7}`);\n}',
    python: "for i in range(1, 11):\n    print(f'{i} x 7 = {i * 7}')",
    examples: [
      [[], Array.from({ length: 10 }, (_, index) => `${index + 1} x 7 = ${(index + 1) * 7}`).join('\n')],
    ],
  },
  {
    kind: 'lines',
    name: 'hello',
    goals: `${PRINT} ("Hello, world!"|hello world|"hello world"|a greeting|hello)( on the screen| to the console|)|(greet|say hello to) the world( on the screen| in the console|)`,
    js: "console.log('Hello, world!');",
    python: "print('Hello, world!')",
    examples: [[[], 'Hello, world!']],
  },
  {
    kind: 'class',
    name: 'counter',
    goals:
      '(a|a simple|a small|an easy) (counter|click counter|tally|counter that can be increased|counter of clicks|counter with an increment method)',
    js: 'class NAME {\n  count = 0;\n  increment() {\n    this.count += 1;\n  }\n}',
    python:
      'class NAME:\n    def __init__(self):\n        self.count = 0\n\n    def increment(self):\n        self.count += 1',
    examples: [[[], 2]],
    used: [
      '(() => { const it = new NAME(); it.increment(); it.increment(); return it.count; })()',
      '[it := NAME(), it.increment(), it.increment(), it.count][-1]',
    ],
  },
  {
    kind: 'class',
    name: 'stack',
    goals:
      '(a|a simple|a small|an easy) (stack|stack with push and pop|last in, first out list|lifo stack|stack of items)',
    js: 'class NAME {\n  items = [];\n  push(item) {\n    this.items.push(item);\n  }\n  pop() {\n    return this.items.pop();\n  }\n}',
    python:
      'class NAME:\n    def __init__(self):\n        self.items = []\n\n    def push(self, item):\n        self.items.append(item)\n\n    def pop(self):\n        return self.items.pop()',
    examples: [[[], 2]],
    used: [
      '(() => { const it = new NAME(); it.push(1); it.push(2); return it.pop(); })()',
      '[it := NAME(), it.push(1), it.push(2), it.pop()][-1]',
    ],
  },
  {
    kind: 'class',
    name: 'queue',
    goals:
      '(a|a simple|a small|an easy) (queue|queue with add and take|first in, first out list|fifo queue|waiting line|queue of items)',
    js: 'class NAME {\n  items = [];\n  add(item) {\n    this.items.push(item);\n  }\n  take() {\n    return this.items.shift();\n  }\n}',
    python:
      'class NAME:\n    def __init__(self):\n        self.items = []\n\n    def add(self, item):\n        self.items.append(item)\n\n    def take(self):\n        return self.items.pop(0)',
    examples: [[[], 1]],
    used: [
      '(() => { const it = new NAME(); it.add(1); it.add(2); return it.take(); })()',
      '[it := NAME(), it.add(1), it.add(2), it.take()][-1]',
    ],
  },
  {
    kind: 'class',
    name: 'point',
    goals:
      '(a|a simple|a small) (point|point with x and y|point in the plane|two-dimensional point|2d point|point with two coordinates)',
    js: 'class NAME {\n  constructor(x, y) {\n    this.x = x;\n    this.y = y;\n  }\n}',
    python: 'class NAME:\n    def __init__(self, x, y):\n        self.x = x\n        self.y = y',
    examples: [[[], 7]],
    used: ['new NAME(3, 7).y', 'NAME(3, 7).y'],
  },
  {
    kind: 'class',
    name: 'account',
    goals:
      '(a|a simple|a small) (bank account|account|account with deposit and withdraw|account with a balance|bank account with a balance|savings account)',
    js: 'class NAME {\n  balance = 0;\n  deposit(amount) {\n    this.balance += amount;\n  }\n  withdraw(amount) {\n    this.balance -= amount;\n  }\n}',
    python:
      'class NAME:\n    def __init__(self):\n        self.balance = 0\n\n    def deposit(self, amount):\n        self.balance += amount\n\n    def withdraw(self, amount):\n        self.balance -= amount',
    examples: [[[], 3]],
    used: [
      '(() => { const it = new NAME(); it.deposit(5); it.withdraw(2); return it.balance; })()',
      '[it := NAME(), it.deposit(5), it.withdraw(2), it.balance][-1]',
    ],
  },
];
