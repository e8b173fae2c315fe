import { ask, wording, type Making, type Sample, type Skill } from '../sample.ts';

/** The last three are kept for evaluation. */
const FRAMES: readonly ((sum: string) => string)[] = [
  (sum) => `What is ${sum}?`,
  (sum) => sum,
  (sum) => `${sum} =`,
  (sum) => `${sum}?`,
  (sum) => `Calculate ${sum}.`,
  (sum) => `Compute ${sum}`,
  (sum) => `How much is ${sum}?`,
  (sum) => `what's ${sum}`,
  (sum) => `Work out ${sum}.`,
  (sum) => `Please tell me ${sum}.`,
  (sum) => `Can you compute ${sum}?`,
];

const digits = (value: number) => Array.from(String(value), Number).reverse();

/** A number of one to three digits, each length as likely. */
const someNumber = ({ dice }: Making, longest = 3) => {
  const length = dice.int(1, longest);
  return dice.int(length === 1 ? 0 : 10 ** (length - 1), 10 ** length - 1);
};

/** What has two digits or more is worked out digit by digit, as on paper, so that each step is small. */
function addition(a: number, b: number): string {
  const [left, right] = [digits(a), digits(b)];
  const places = Math.max(left.length, right.length);
  if (places === 1) return `${a} + ${b} = ${a + b}`;
  let carry = 0;
  const steps = Array.from({ length: places }, (_, place) => {
    const parts = [left[place] ?? 0, right[place] ?? 0, ...(carry > 0 ? [carry] : [])];
    const sum = parts.reduce((total, part) => total + part, 0);
    carry = sum > 9 ? 1 : 0;
    return `${parts.join('+')}=${sum}`;
  });
  return `${steps.join(', ')}: ${a} + ${b} = ${a + b}`;
}

/** Of the larger and the smaller number; a digit that is too small borrows ten. */
function subtraction(a: number, b: number): string {
  const [left, right] = [digits(a), digits(b)];
  if (left.length === 1) return `${a} - ${b} = ${a - b}`;
  let borrow = 0;
  const steps = left.map((top, place) => {
    const taken = (right[place] ?? 0) + borrow;
    const from = top < taken ? top + 10 : top;
    borrow = top < taken ? 1 : 0;
    return `${from}-${taken}=${from - taken}`;
  });
  return `${steps.join(', ')}: ${a} - ${b} = ${a - b}`;
}

function multiplication(a: number, b: number): string {
  if (a < 10) return `${a} × ${b} = ${a * b}`;
  let carry = 0;
  const steps = digits(a).map((digit) => {
    const sum = digit * b + carry;
    const text = carry > 0 ? `${digit}×${b}+${carry}=${sum}` : `${digit}×${b}=${sum}`;
    carry = Math.floor(sum / 10);
    return text;
  });
  return `${steps.join(', ')}: ${a} × ${b} = ${a * b}`;
}

const spaced = ({ dice }: Making, a: number, sign: string, b: number) =>
  dice.chance(0.75) ? `${a} ${sign} ${b}` : `${a}${sign}${b}`;

function add(making: Making): Sample {
  const [a, b] = [someNumber(making), someNumber(making)];
  const sum = making.dice.chance(0.8) ? spaced(making, a, '+', b) : `${a} plus ${b}`;
  return ask(wording(making, FRAMES, 3)(sum), addition(a, b));
}

function subtract(making: Making): Sample {
  const [x, y] = [someNumber(making), someNumber(making)];
  const [a, b] = [Math.max(x, y), Math.min(x, y)];
  const sum = making.dice.chance(0.8) ? spaced(making, a, '-', b) : `${a} minus ${b}`;
  return ask(wording(making, FRAMES, 3)(sum), subtraction(a, b));
}

function multiply(making: Making): Sample {
  const { dice } = making;
  const [a, b] = [someNumber(making, 2), dice.int(0, 9)];
  const sum = dice.pick([`${a} × ${b}`, `${a} * ${b}`, `${a}*${b}`, `${a} times ${b}`, `${a} x ${b}`]);
  return ask(wording(making, FRAMES, 3)(sum), multiplication(a, b));
}

function divide(making: Making): Sample {
  const { dice } = making;
  const [b, result] = [dice.int(1, 9), dice.int(0, 9)];
  const a = b * result;
  const sum = dice.pick([`${a} / ${b}`, `${a} ÷ ${b}`, `${a} divided by ${b}`]);
  return ask(wording(making, FRAMES, 3)(sum), `${a} / ${b} = ${result}`);
}

function compare(making: Making): Sample {
  const { dice } = making;
  const [a, b] = [someNumber(making), someNumber(making)];
  const isLarger = dice.chance(0.5);
  const word = isLarger ? dice.pick(['larger', 'bigger', 'greater']) : dice.pick(['smaller', 'less']);
  const question = wording(making, [
    `Which is ${word}, ${a} or ${b}?`,
    `Which number is ${word}: ${a} or ${b}?`,
    `${a} or ${b}: which one is ${word}?`,
    `Of ${a} and ${b}, which is ${word}?`,
  ]);
  return ask(question, String(isLarger ? Math.max(a, b) : Math.min(a, b)));
}

export const arithmeticSkills: readonly Skill[] = [
  { name: 'add', weight: 5, make: add },
  { name: 'subtract', weight: 4, make: subtract },
  { name: 'multiply', weight: 3, make: multiply },
  { name: 'divide', weight: 1, make: divide },
  { name: 'compare', weight: 1, make: compare },
];
