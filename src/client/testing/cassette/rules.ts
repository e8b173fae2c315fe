import { Failure } from '../../../base/errors.ts';

/** Which fields of a request are ignored, and which are compared by a rule. */
export type Rules = {
  /** Fields that are not compared, such as `body.user`. */
  ignore: readonly string[];
  /** `/pattern/` for parts of a text that may differ, `set` for a list in any order. */
  match: Readonly<Record<string, string>>;
};

export type Comparison = ReturnType<typeof compileRules>;
type Path = readonly string[];

export const NO_RULES: Rules = { ignore: [], match: {} };

const PATTERN = /^\/(.+)\/([gimsu]*)$/s;

export function withRules(first: Rules, more: Rules): Rules {
  return {
    ignore: [...new Set([...first.ignore, ...more.ignore])],
    match: { ...first.match, ...more.match },
  };
}

/** What is wrong with a rule. */
export function objectionToRule(field: string, rule: unknown): string | undefined {
  if (rule === 'set') return undefined;
  const parts = typeof rule === 'string' ? PATTERN.exec(rule) : null;
  if (field === '' || !parts) return `"${field}" must have a /pattern/ or the word set.`;
  try {
    new RegExp(parts[1] ?? '', parts[2]);
    return undefined;
  } catch (error) {
    return `"${field}": ${(error as Error).message}.`;
  }
}

/** As written in a program. */
export function checkedMatch(match: Readonly<Record<string, RegExp | string>>): Rules['match'] {
  return Object.fromEntries(
    Object.entries(match).map(([field, rule]) => {
      const objection = objectionToRule(field, String(rule));
      if (objection !== undefined) throw new Failure('invalid_value', `The rule of ${objection}`);
      return [field, String(rule)];
    }),
  );
}

/** A rule applies to its field and everything below it, but `set` only to the field itself. */
export function compileRules({ ignore, match }: Rules) {
  const ignored = ignore.map(pathOf);
  const rules = Object.entries(match);
  const sets = rules.filter(([, rule]) => rule === 'set').map(([field]) => pathOf(field));
  const patterns = rules.flatMap(([field, rule]) => {
    const [, source = '', flags = ''] = PATTERN.exec(rule) ?? [];
    if (source === '') return [];
    return [{ path: pathOf(field), pattern: new RegExp(source, `${flags.replace('g', '')}g`), rule }];
  });

  return {
    isIgnored: (path: Path) => ignored.some((each) => begins(path, each)),
    isSet: (path: Path) => sets.some((each) => each.length === path.length && begins(path, each)),
    /** With the pattern in place of what it matches. */
    valueOf(value: unknown, path: Path): unknown {
      if (typeof value !== 'string' && typeof value !== 'number') return value;
      const text = patterns
        .filter((each) => begins(path, each.path))
        .reduce((before, { pattern, rule }) => before.replace(pattern, () => rule), String(value));
      return text === String(value) ? value : text;
    },
  };
}

function pathOf(field: string): Path {
  return field.split('.');
}

function begins(path: Path, start: Path): boolean {
  return start.length <= path.length && start.every((name, at) => name === '*' || name === path[at]);
}
