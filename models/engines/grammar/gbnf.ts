import {
  GbnfError,
  lineOf,
  readGbnf,
  type GbnfAlternatives,
  type GbnfItem,
  type GbnfRule,
} from './gbnf-reader.ts';

export { GbnfError };

const LENGTH_MAX = 200_000;

/** Throws if a grammar cannot be used: llama.cpp would give no reason, or crash. */
export function checkGbnf(text: string): void {
  if (text.length > LENGTH_MAX) throw new GbnfError(`it has more than ${LENGTH_MAX} characters`);
  const rules = readGbnf(text);
  if (!rules.has('root')) throw new GbnfError('the rule "root" is missing');
  for (const { alternatives } of rules.values()) refuseUnknownRules(alternatives, rules, text);
  const recursive = leftRecursive(rules);
  if (recursive === undefined) return;
  const line = lineOf(text, rules.get(recursive)?.place ?? 0);
  throw new GbnfError(`line ${line}: the rule "${recursive}" is left-recursive`);
}

type Rules = ReadonlyMap<string, GbnfRule>;

function refuseUnknownRules(alternatives: GbnfAlternatives, rules: Rules, text: string): void {
  for (const item of alternatives.flat()) {
    if (item.kind === 'group') refuseUnknownRules(item.alternatives, rules, text);
    if (item.kind === 'rule' && !rules.has(item.name))
      throw new GbnfError(`line ${lineOf(text, item.place)}: there is no rule "${item.name}"`);
  }
}

/** A left-recursive rule. */
function leftRecursive(rules: Rules): string | undefined {
  const empty = rulesThatCanBeEmpty(rules);
  const known = new Map<string, 'open' | 'good'>();
  const visit = (name: string): string | undefined => {
    if (known.get(name) === 'open') return name;
    if (known.has(name)) return undefined;
    known.set(name, 'open');
    for (const next of beginnings(rules.get(name)?.alternatives ?? [], empty)) {
      const found = visit(next);
      if (found !== undefined) return found;
    }
    known.set(name, 'good');
    return undefined;
  };
  for (const name of rules.keys()) {
    const found = visit(name);
    if (found !== undefined) return found;
  }
  return undefined;
}

function rulesThatCanBeEmpty(rules: Rules): Set<string> {
  const empty = new Set<string>();
  for (let before = -1; before !== empty.size;) {
    before = empty.size;
    for (const [name, { alternatives }] of rules) if (canBeEmpty(alternatives, empty)) empty.add(name);
  }
  return empty;
}

function canBeEmpty(alternatives: GbnfAlternatives, empty: ReadonlySet<string>): boolean {
  return alternatives.some((sequence) => sequence.every((item) => itemCanBeEmpty(item, empty)));
}

function itemCanBeEmpty(item: GbnfItem, empty: ReadonlySet<string>): boolean {
  if (item.min === 0) return true;
  if (item.kind === 'character') return false;
  return item.kind === 'rule' ? empty.has(item.name) : canBeEmpty(item.alternatives, empty);
}

/** The rules that may come before the first character. */
function beginnings(alternatives: GbnfAlternatives, empty: ReadonlySet<string>): Set<string> {
  const names = new Set<string>();
  for (const sequence of alternatives) {
    for (const item of sequence) {
      if (item.kind === 'rule') names.add(item.name);
      if (item.kind === 'group') for (const name of beginnings(item.alternatives, empty)) names.add(name);
      if (!itemCanBeEmpty(item, empty)) break;
    }
  }
  return names;
}
