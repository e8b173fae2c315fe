import { CalculationError, divide, power, rational } from './calculate/rational.ts';
import { readTokens, type Token } from './calculate/tokens.ts';
import {
  asNumber,
  findUnit,
  FUNCTIONS,
  minus,
  modulo,
  numberValue,
  over,
  plus,
  showValue,
  times,
  type Value,
} from './calculate/values.ts';

const DEPTH_MAX = 60;
const HUNDRED = rational(100n);

/** Operator precedence; a unit or a percent sign binds tightest. */
const BINDING: Readonly<Record<string, number>> = {
  '+': 1,
  '-': 1,
  '*': 2,
  '/': 2,
  '%': 2,
  of: 2,
  mod: 2,
  '^': 4,
};
const NEGATION = 3;

/** Exact arithmetic with numbers, durations and dates. It evaluates only its own small language. */
export function calculate(expression: string): string {
  const reader = createReader(readTokens(expression));
  const value = reader.expression(0, 0);
  const unit = reader.takeName('in', 'to') ? reader.unit() : undefined;
  reader.end();
  if (unit === undefined) return showValue(value);
  if (value.kind !== 'time') throw new CalculationError('only a duration can be converted to a unit');
  const count = numberValue(divide(value.value, rational(unit.seconds)), value.isExact);
  const text = showValue(count);
  return `${text} ${unit.name}${text === '1' ? '' : 's'}`;
}

function createReader(tokens: readonly Token[]) {
  let at = 0;
  const peek = (): Token | undefined => tokens[at];
  const isOperator = (operator: string) => isSign(peek(), operator);

  function takeName(...names: string[]): boolean {
    const token = peek();
    if (token?.type !== 'name' || !names.includes(token.name)) return false;
    at += 1;
    return true;
  }

  function unit() {
    const token = peek();
    const found = token?.type === 'name' ? findUnit(token.name) : undefined;
    if (found === undefined)
      throw new CalculationError('a unit must be seconds, minutes, hours, days or weeks');
    at += 1;
    return found;
  }

  /** Parses everything that binds tighter than `binding`. */
  function expression(binding: number, depth: number): Value {
    if (depth > DEPTH_MAX) throw new CalculationError('brackets are nested too deeply');
    let left = withSuffix(operand(depth));
    for (;;) {
      const operator = infix(peek());
      const strength = operator === undefined ? 0 : (BINDING[operator] ?? 0);
      if (operator === undefined || strength <= binding) return left;
      at += 1;
      // Powers are right-associative: 2^3^2 is 2^9.
      left = combine(operator, left, expression(operator === '^' ? strength - 1 : strength, depth + 1));
    }
  }

  function operand(depth: number): Value {
    const token = peek();
    at += 1;
    if (token === undefined) throw new CalculationError('the expression is incomplete');
    if (token.type === 'number') return numberValue(token.value);
    if (token.type === 'date') return { kind: 'day', value: rational(token.day), isExact: true };
    if (isSign(token, '-')) return minus(expression(NEGATION, depth + 1));
    if (isSign(token, '+')) return expression(NEGATION, depth + 1);
    if (isSign(token, '(')) return closed(expression(0, depth + 1));
    if (token.type === 'name') return named(token.name, depth);
    throw new CalculationError(`a number is missing before "${token.operator}"`);
  }

  function closed(value: Value): Value {
    if (!isOperator(')')) throw new CalculationError('a bracket is not closed');
    at += 1;
    return value;
  }

  function named(name: string, depth: number): Value {
    const work = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
    if (work === undefined || !isOperator('(')) throw new CalculationError(`"${name}" is unknown`);
    at += 1;
    const values: Value[] = [];
    while (!isOperator(')')) {
      values.push(expression(0, depth + 1));
      if (!isOperator(',')) break;
      at += 1;
    }
    closed(numberValue(HUNDRED));
    return work(values);
  }

  /** `3 days` and `15%`: a percent sign before another operand means remainder. */
  function withSuffix(value: Value): Value {
    const token = peek();
    if (token?.type === 'name' && value.kind === 'number' && findUnit(token.name)) {
      return {
        kind: 'time',
        value: times(value, numberValue(rational(unit().seconds))).value,
        isExact: value.isExact,
      };
    }
    if (!isSign(token, '%') || beginsOperand(tokens[at + 1])) return value;
    at += 1;
    return over(value, numberValue(HUNDRED));
  }

  function end(): void {
    const token = peek();
    if (token === undefined) return;
    const shown = token.type === 'operator' ? token.operator : token.type === 'name' ? token.name : undefined;
    throw new CalculationError(`unexpected ${shown === undefined ? 'number' : `"${shown}"`}`);
  }

  return { expression, takeName, unit, end };
}

function combine(operator: string, left: Value, right: Value): Value {
  if (operator === '+') return plus(left, right, 1);
  if (operator === '-') return plus(left, right, -1);
  if (operator === '/') return over(left, right);
  if (operator === '%' || operator === 'mod') return modulo(left, right);
  if (operator === '^')
    return numberValue(power(asNumber(left), asNumber(right)), left.isExact && right.isExact);
  return times(left, right);
}

function infix(token: Token | undefined): string | undefined {
  if (token?.type === 'operator' && token.operator in BINDING) return token.operator;
  return token?.type === 'name' && (token.name === 'of' || token.name === 'mod') ? token.name : undefined;
}

function beginsOperand(token: Token | undefined): boolean {
  if (token?.type === 'name') return token.name !== 'of' && token.name !== 'mod' && token.name !== 'in';
  return token?.type === 'number' || token?.type === 'date' || isSign(token, '(');
}

function isSign(token: Token | undefined, operator: string): boolean {
  return token?.type === 'operator' && token.operator === operator;
}
