/** Whether robots.txt allows this program to read a path: the rules for our name, else those for everyone. */
export function isAllowedByRobots(text: string, path: string, agent = 'askd'): boolean {
  const groups = readGroups(text);
  const own = groups.filter(({ agents }) => agents.some((each) => each !== '*' && agent.startsWith(each)));
  const rules = (own.length > 0 ? own : groups.filter(({ agents }) => agents.includes('*'))).flatMap(
    (group) => group.rules,
  );
  const fitting = rules.filter(({ pattern }) => fits(pattern, path));
  const [strongest] = fitting.sort(
    (a, b) => b.pattern.length - a.pattern.length || Number(b.isAllowed) - Number(a.isAllowed),
  );
  return strongest?.isAllowed ?? true;
}

type Group = { agents: string[]; rules: { pattern: string; isAllowed: boolean }[] };

function readGroups(text: string): Group[] {
  const groups: Group[] = [];
  let isNaming = false;
  for (const line of text.split(/\r?\n/)) {
    const [, name = '', value = ''] = /^\s*([a-z-]+)\s*:\s*([^#]*)/i.exec(line) ?? [];
    const field = name.toLowerCase();
    if (field === 'user-agent') {
      if (!isNaming) groups.push({ agents: [], rules: [] });
      groups.at(-1)?.agents.push(value.trim().toLowerCase());
      isNaming = true;
    } else if (field === 'allow' || field === 'disallow') {
      isNaming = false;
      if (value.trim() !== '')
        groups.at(-1)?.rules.push({ pattern: value.trim(), isAllowed: field === 'allow' });
    }
  }
  return groups;
}

/**
 * `*` matches anything, `$` the end. Compared piece by piece: an untrusted pattern never becomes a regular
 * expression.
 */
function fits(pattern: string, path: string): boolean {
  const isWhole = pattern.endsWith('$');
  const pieces = (isWhole ? pattern.slice(0, -1) : pattern).split('*');
  let at = 0;
  for (const [index, piece] of pieces.entries()) {
    const isLast = index === pieces.length - 1;
    if (isWhole && isLast && index > 0) return path.length - piece.length >= at && path.endsWith(piece);
    const found = index === 0 ? (path.startsWith(piece) ? 0 : -1) : path.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return !isWhole || at === path.length;
}
