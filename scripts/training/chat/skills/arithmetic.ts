import { begun, filled, phrase } from '../phrases.ts';
import { ask, type Making, type Sample, type Skill } from '../sample.ts';

const FRAMES =
  '(what is|how much is|calculate|compute|work out|solve|evaluate|find|what is the result of|what do you get for|tell me) {s}(|?|.)|' +
  '(please |can you |could you |please tell me |can you tell me )(calculate|compute|work out|solve|find) {s}(|?|.)|{s}( =|=| = ?| equals| is what| gives|)(|?)|' +
  "(what's|whats|and|now|quick:|so what is|I need|result of) {s}(|?|.)";

const sumOf = (making: Making, forms: string, a: number, b: number) =>
  begun(
    making,
    filled(phrase(making, FRAMES.replaceAll('{s}', `(${forms})`)), { a: String(a), b: String(b) }),
  );

const digits = (value: number) => Array.from(String(value), Number).reverse();

/** A number of one to three digits, each length equally likely. */
const someNumber = ({ dice }: Making, longest = 3) => {
  const length = dice.int(1, longest);
  return dice.int(length === 1 ? 0 : 10 ** (length - 1), 10 ** length - 1);
};

/** Numbers of two or more digits are worked out digit by digit, as on paper, so that each step is small. */
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

const PLUS = '{a} + {b}|{a} + {b}|{a}+{b}|{a} plus {b}|the sum of {a} and {b}|{a} and {b} together';
const MINUS = '{a} - {b}|{a} - {b}|{a}-{b}|{a} minus {b}|{a} less {b}|the difference between {a} and {b}';
const TIMES = '{a} × {b}|{a} * {b}|{a}*{b}|{a} times {b}|{a} x {b}|the product of {a} and {b}';
const OVER = '{a} / {b}|{a} ÷ {b}|{a}/{b}|{a} divided by {b}|{a} over {b}';

function add(making: Making): Sample {
  const [a, b] = [someNumber(making), someNumber(making)];
  return ask(sumOf(making, PLUS, a, b), addition(a, b));
}

function subtract(making: Making): Sample {
  const [x, y] = [someNumber(making), someNumber(making)];
  const [a, b] = [Math.max(x, y), Math.min(x, y)];
  return ask(sumOf(making, MINUS, a, b), subtraction(a, b));
}

function multiply(making: Making): Sample {
  const [a, b] = [someNumber(making, 2), making.dice.int(0, 9)];
  return ask(sumOf(making, TIMES, a, b), multiplication(a, b));
}

function divide(making: Making): Sample {
  const [b, result] = [making.dice.int(1, 9), making.dice.int(0, 9)];
  return ask(sumOf(making, OVER, b * result, b), `${b * result} / ${b} = ${result}`);
}

const COMPARED =
  '(which is|which number is|which one is|what is|tell me which is|say which number is) {word}(, |: | ){a} or {b}?|' +
  '{a} or {b}(: |, )which( one| number|) is {word}?|(of|out of|between) {a} and {b}(, |: )which( one| number|) is {word}?|(is {a} or {b} {word}|what is the {word} number, {a} or {b})?';

const WORDS = { larger: '(larger|bigger|greater)', smaller: '(smaller|less)' };

function compare(making: Making): Sample {
  const [a, b] = [someNumber(making), someNumber(making)];
  const word = making.dice.pick(['larger', 'smaller'] as const);
  const asked = phrase(making, COMPARED.replaceAll('{word}', WORDS[word]));
  const question = begun(making, filled(asked, { a: String(a), b: String(b) }));
  return ask(question, String(word === 'larger' ? Math.max(a, b) : Math.min(a, b)));
}

export const arithmeticSkills: readonly Skill[] = [
  { name: 'add', weight: 4, make: add },
  { name: 'subtract', weight: 4, make: subtract },
  { name: 'multiply', weight: 5, make: multiply },
  { name: 'divide', weight: 2, make: divide },
  { name: 'compare', weight: 3, make: compare },
];
