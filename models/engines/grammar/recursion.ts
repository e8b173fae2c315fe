/** The first left-recursive rule, if there is one. */
export function recursionIn(grammar: string): string | undefined {
  const begins = new Map(
    grammar
      .split('\n')
      .map((line) => line.split(' ::= '))
      .map(([name = '', body = '']) => [name, beginningsOf(body)]),
  );
  const known = new Map<string, 'open' | 'good'>();
  const visit = (name: string): string | undefined => {
    if (known.get(name) === 'open') return name;
    if (known.has(name)) return undefined;
    known.set(name, 'open');
    for (const next of begins.get(name) ?? []) {
      const found = visit(next);
      if (found !== undefined) return found;
    }
    known.set(name, 'good');
    return undefined;
  };
  for (const name of begins.keys()) {
    const found = visit(name);
    if (found !== undefined) return found;
  }
  return undefined;
}

const TOKEN = /"(?:\\.|[^"\\])*"|\[(?:\\.|[^\]\\])*\]|\{[^}]*\}|[a-zA-Z][a-zA-Z0-9-]*|[()|*+?]/g;

/** The rules that may come before the first character of a body. */
function beginningsOf(body: string): string[] {
  const names: string[] = [];
  const groups: boolean[] = [];
  let [before, isBegun] = [false, false];
  for (const [token] of body.matchAll(TOKEN)) {
    if (token === '|') isBegun = groups.at(-1) ?? false;
    else if (token === '(') groups.push(isBegun);
    else if (token === ')') before = groups.pop() ?? false;
    // An optional item has consumed nothing.
    else if (/^([?*]|\{0)/.test(token)) isBegun = before;
    else if (/^["[]/.test(token) && token !== '""') [before, isBegun] = [isBegun, true];
    else if (/^[a-zA-Z]/.test(token)) {
      before = isBegun;
      if (!isBegun) names.push(token);
    }
  }
  return [...new Set(names)];
}
