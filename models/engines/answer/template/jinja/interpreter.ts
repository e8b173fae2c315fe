import * as jinja from '@huggingface/jinja';
import { LIST_METHODS, STRING_METHODS } from './methods.ts';

/** The library's values; its own types cannot be resolved from here. */
export type Value = { type: string; value: unknown; builtins: Map<string, Value> };
export type Scope = { set(name: string, value: unknown): Value };
/** A node of the library's syntax tree. */
type Node = { type: string; value?: unknown; [part: string]: unknown };
type Library = {
  Environment: new () => Scope;
  Interpreter: new (scope: Scope) => {
    evaluate(node: Node | undefined, scope: Scope): Value;
    run(program: unknown): Value;
  };
};

export const { Environment, Interpreter } = jinja as unknown as Library;

/** A node whose value is already known. */
type Known = Node & { type: 'Known'; known: Value };

/** Filters that accept undefined as an empty list or string, like Python's. */
const OF_LISTS = ['length', 'list', 'selectattr', 'rejectattr', 'map', 'items', 'join', 'unique', 'sort'];
const OF_TEXTS = ['trim', 'upper', 'lower', 'title', 'capitalize', 'replace', 'indent', 'string'];

/**
 * Templates are written for Python's Jinja, but the library is stricter and supports less. Here undefined can be
 * iterated, objects may have numeric keys, and strings and lists have the methods that chat templates use.
 */
export class PythonInterpreter extends Interpreter {
  private readonly numbered = new WeakSet<Value>();

  override evaluate(node: Node | undefined, scope: Scope): Value {
    if (node === undefined) return super.evaluate(node, scope);
    if (isKnown(node)) return node.known;
    if (node.type === 'For') return super.evaluate(this.loopOf(node, scope), scope);
    if (node.type === 'FilterExpression') return this.filter(node, scope);
    if (node.type === 'MemberExpression') return this.member(node, scope);
    if (node.type === 'CallExpression') return super.evaluate(this.withMethod(node, scope), scope);
    if (node.type === 'ObjectLiteral') return this.object(node, scope);
    if (node.type === 'BinaryExpression') return this.binary(node, scope);
    return super.evaluate(node, scope);
  }

  private loopOf(node: Node, scope: Scope): Node {
    const iterable = node['iterable'] as Node;
    const isSelected = iterable.type === 'SelectExpression';
    const value = this.evaluate(isSelected ? (iterable['lhs'] as Node) : iterable, scope);
    const items = known(isMissing(value) ? toValue([]) : withLists(value));
    return { ...node, iterable: isSelected ? { ...iterable, lhs: items } : items };
  }

  private filter(node: Node, scope: Scope): Value {
    const filter = node['filter'] as Node;
    const name = String(filter.type === 'Identifier' ? filter.value : (filter['callee'] as Node).value);
    const operand = this.evaluate(node['operand'] as Node, scope);
    const args = (filter['args'] ?? []) as Node[];
    const apply = (value: Value, by: Node = filter) =>
      super.evaluate({ ...node, operand: known(value), filter: by }, scope);
    if (isMissing(operand) && OF_LISTS.includes(name)) return apply(toValue([]));
    if (operand.type === 'UndefinedValue' && OF_TEXTS.includes(name)) return apply(toValue(''));
    if (name === 'map' && args[0]?.type === 'StringLiteral' && Array.isArray(operand.value)) {
      const by = { type: 'Identifier', value: args[0].value };
      return list((operand.value as Value[]).map((item) => apply(item, by)));
    }
    const own = Array.isArray(operand.value) ? ofNumbers(name, operand.value as Value[]) : undefined;
    if (own) return own;
    const result = apply(operand);
    return this.numbered.has(operand) && ['dictsort', 'items'].includes(name) ? numberKeys(result) : result;
  }

  /** A call on an object means its method, even if it has a property of that name. */
  private withMethod(node: Node, scope: Scope): Node {
    const callee = node['callee'] as Node;
    if (callee.type !== 'MemberExpression' || callee['computed'] === true) return node;
    const target = this.evaluate(callee['object'] as Node, scope);
    const name = String((callee['property'] as Node).value);
    const method = target.type === 'ObjectValue' ? target.builtins.get(name) : undefined;
    return { ...node, callee: method ? known(method) : { ...callee, object: known(target) } };
  }

  private member(node: Node, scope: Scope): Value {
    const property = node['property'] as Node;
    if (property.type === 'SliceExpression') return super.evaluate(node, scope);
    const target = this.evaluate(node['object'] as Node, scope);
    const at = (key: Node) => super.evaluate({ ...node, object: known(target), property: key }, scope);
    if (node['computed'] !== true) return methodOf(target, String(property.value)) ?? at(property);
    const key = this.evaluate(property, scope);
    const isList =
      target.type === 'ArrayValue' || target.type === 'TupleValue' || target.type === 'StringValue';
    if (key.type === 'StringValue' || (key.type === 'IntegerValue' && isList)) return at(known(key));
    return key.type === 'IntegerValue' ? at(known(toValue(String(key.value)))) : toValue(undefined);
  }

  private binary(node: Node, scope: Scope): Value {
    const sign = String((node['operator'] as Node).value);
    if (!['+', '*', 'in', 'not in'].includes(sign)) return super.evaluate(node, scope);
    const left = this.evaluate(node['left'] as Node, scope);
    const right = this.evaluate(node['right'] as Node, scope);
    return (
      operate(sign, left, right) ?? super.evaluate({ ...node, left: known(left), right: known(right) }, scope)
    );
  }

  private object(node: Node, scope: Scope): Value {
    let isNumbered = false;
    const entries = [...(node.value as Map<Node, Node>)].map(([key, value]): [Node, Node] => {
      const evaluated = this.evaluate(key, scope);
      isNumbered ||= evaluated.type === 'IntegerValue';
      return [known(toValue(String(evaluated.value))), value];
    });
    const value = super.evaluate({ ...node, value: new Map(entries) }, scope);
    if (isNumbered) this.numbered.add(value);
    return value;
  }
}

function ofNumbers(name: string, items: readonly Value[]): Value | undefined {
  const numbers = items.map(({ value }) => Number(value));
  if (name === 'min') return toValue(Math.min(...numbers));
  if (name === 'max') return toValue(Math.max(...numbers));
  return name === 'sum' ? toValue(numbers.reduce((sum, number) => sum + number, 0)) : undefined;
}

function known(value: Value): Known {
  return { type: 'Known', known: value };
}

function isKnown(node: Node): node is Known {
  return node.type === 'Known';
}

export function toValue(plain: unknown): Value {
  return new Environment().set('value', plain);
}

/** Undefined if the library implements it. */
function operate(sign: string, left: Value, right: Value): Value | undefined {
  // A missing value adds nothing to a string: the author of the template relied on its presence.
  if (sign === '+' && isMissing(left) && right.type === 'StringValue') return right;
  if (sign === '+' && isMissing(right) && left.type === 'StringValue') return left;
  if (sign === '*' && left.type === 'StringValue' && right.type === 'IntegerValue') {
    return toValue(String(left.value).repeat(Math.max(0, Number(right.value))));
  }
  if (sign.endsWith('in') && Array.isArray(right.value)) {
    const isIn = (right.value as Value[]).some((item) => isSame(item, left));
    return toValue(isIn === (sign === 'in'));
  }
  return undefined;
}

function isSame(one: Value, other: Value): boolean {
  if (!Array.isArray(one.value) || !Array.isArray(other.value)) return one.value === other.value;
  const others = other.value as Value[];
  const items = one.value as Value[];
  return items.length === others.length && items.every((item, at) => isSame(item, others[at] ?? item));
}

function isMissing({ type }: Value): boolean {
  return type === 'UndefinedValue' || type === 'NullValue';
}

function list(items: Value[]): Value {
  const empty = toValue([]);
  (empty.value as Value[]).push(...items);
  return empty;
}

/** Names are unpacked only from lists, and pairs may be tuples. */
function withLists(value: Value): Value {
  if (!Array.isArray(value.value)) return value;
  const items = value.value as Value[];
  const unpackable = (item: Value) => (item.type === 'TupleValue' ? list(item.value as Value[]) : item);
  return items.some(({ type }) => type === 'TupleValue') || value.type === 'TupleValue'
    ? list(items.map(unpackable))
    : value;
}

function numberKeys(pairs: Value): Value {
  const numbered = (pairs.value as Value[]).map((pair) => {
    const [key, value] = pair.value as [Value, Value];
    return list([toValue(Number(key.value)), value]);
  });
  const keyOf = (pair: Value) => Number((pair.value as [Value, Value])[0].value);
  return list(numbered.toSorted((one, other) => keyOf(one) - keyOf(other)));
}

type Called = (args: Value[]) => Value;

function methodOf(target: Value, name: string): Value | undefined {
  if (target.type === 'StringValue' && !target.builtins.has(name)) {
    const method = Object.hasOwn(STRING_METHODS, name) ? STRING_METHODS[name] : undefined;
    return method && callable((args) => toValue(method(String(target.value), ...args.map(plainOf))));
  }
  if (target.type === 'ArrayValue' && Object.hasOwn(LIST_METHODS, name)) {
    const method = LIST_METHODS[name];
    return method && callable((args) => method(target.value as Value[], ...args) ?? toValue(null));
  }
  return undefined;
}

function plainOf(value: Value): unknown {
  return Array.isArray(value.value) ? (value.value as Value[]).map(plainOf) : value.value;
}

function callable(called: Called): Value {
  const value = toValue(() => null);
  value.value = called;
  return value;
}
