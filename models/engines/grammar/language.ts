import { ANY_CHARACTER, complement, hasCharacter, intersection, union, type CharSet } from './char-set.ts';

/** A set of strings. Equal constructions yield the same object, which is how an automaton recognises a state. */
export type Language = Shape & { readonly id: number; readonly hasEmpty: boolean };

type Shape =
  | { kind: 'nothing' }
  | { kind: 'empty' }
  | { kind: 'character'; set: CharSet }
  | { kind: 'sequence'; first: Language; rest: Language }
  | { kind: 'repeat'; part: Language; min: number; max: number }
  | { kind: 'either'; parts: readonly Language[] }
  | { kind: 'both'; parts: readonly Language[] }
  | { kind: 'not'; part: Language };

export type Languages = ReturnType<typeof createLanguages>;

/** `spend` is called with the size of each one that is built, and throws if it is too much. */
export function createLanguages(spend: (steps: number) => void) {
  const known = new Map<string, Language>();

  function build(key: string, shape: Shape, hasEmpty: boolean): Language {
    spend(key.length);
    const before = known.get(key);
    if (before) return before;
    const language = { ...shape, id: known.size, hasEmpty };
    known.set(key, language);
    return language;
  }

  const nothing = build('nothing', { kind: 'nothing' }, false);
  const empty = build('empty', { kind: 'empty' }, true);

  function character(set: CharSet): Language {
    return set.length === 0 ? nothing : build(`[${set.join(' ')}]`, { kind: 'character', set }, false);
  }

  function repeat(part: Language, min: number, max = Infinity): Language {
    if (max < min || (part === nothing && min > 0)) return nothing;
    if (max === 0 || part === empty || part === nothing) return empty;
    if (min === 1 && max === 1) return part;
    const least = part.hasEmpty ? 0 : min;
    return build(`${part.id}{${least},${max}}`, { kind: 'repeat', part, min: least, max }, least === 0);
  }

  const anything = repeat(character(ANY_CHARACTER), 0);

  function sequence(first: Language, rest: Language): Language {
    if (first === nothing || rest === nothing) return nothing;
    if (first === empty) return rest;
    if (rest === empty) return first;
    if (first === anything && rest === anything) return anything;
    if (first.kind === 'sequence') return sequence(first.first, sequence(first.rest, rest));
    return build(
      `${first.id}.${rest.id}`,
      { kind: 'sequence', first, rest },
      first.hasEmpty && rest.hasEmpty,
    );
  }

  function either(...given: readonly Language[]): Language {
    const flat = given.flatMap((part) => (part.kind === 'either' ? part.parts : [part]));
    if (flat.includes(anything)) return anything;
    const sets = flat.flatMap((part) => (part.kind === 'character' ? part.set : []));
    const others = flat.filter((part) => part.kind !== 'character' && part !== nothing);
    const parts = distinct([character(union(sets)), ...others].filter((part) => part !== nothing));
    const [only = nothing] = parts;
    if (parts.length < 2) return only;
    const key = `|${parts.map(({ id }) => id).join(' ')}`;
    return build(
      key,
      { kind: 'either', parts },
      parts.some(({ hasEmpty }) => hasEmpty),
    );
  }

  function both(...given: readonly Language[]): Language {
    const flat = given.flatMap((part) => (part.kind === 'both' ? part.parts : [part]));
    if (flat.includes(nothing)) return nothing;
    const runs = flat.flatMap((part) => (part !== anything ? (runOf(part) ?? []) : []));
    const others = flat.filter((part) => runOf(part) === undefined);
    const parts = distinct([...(runs.length > 0 ? [commonRun(runs)] : []), ...others]);
    const [only = anything] = parts;
    if (parts.includes(nothing)) return nothing;
    if (parts.length < 2) return only;
    const key = `&${parts.map(({ id }) => id).join(' ')}`;
    return build(
      key,
      { kind: 'both', parts },
      parts.every(({ hasEmpty }) => hasEmpty),
    );
  }

  /** Repetitions of one character set: their intersection is another. */
  function commonRun(runs: readonly Run[]): Language {
    const set = runs.map((run) => run.set).reduce(intersection);
    const min = Math.max(...runs.map((run) => run.min));
    return repeat(character(set), min, Math.min(...runs.map((run) => run.max)));
  }

  function not(part: Language): Language {
    if (part === nothing) return anything;
    if (part === anything) return nothing;
    return part.kind === 'not' ? part.part : build(`!${part.id}`, { kind: 'not', part }, !part.hasEmpty);
  }

  /** The derivative by this character. */
  function after(language: Language, code: number): Language {
    switch (language.kind) {
      case 'nothing':
      case 'empty':
        return nothing;
      case 'character':
        return hasCharacter(language.set, code) ? empty : nothing;
      case 'sequence': {
        const { first, rest } = language;
        const begun = sequence(after(first, code), rest);
        return first.hasEmpty ? either(begun, after(rest, code)) : begun;
      }
      case 'repeat': {
        const { part, min, max } = language;
        return sequence(after(part, code), repeat(part, Math.max(min - 1, 0), max - 1));
      }
      case 'either':
        return either(...language.parts.map((part) => after(part, code)));
      case 'both':
        return both(...language.parts.map((part) => after(part, code)));
      case 'not':
        return not(after(language.part, code));
    }
  }

  return { nothing, empty, anything, character, sequence, repeat, either, both, not, after };
}

type Run = { set: CharSet; min: number; max: number };

function runOf(language: Language): Run | undefined {
  if (language.kind === 'character') return { set: language.set, min: 1, max: 1 };
  if (language.kind !== 'repeat' || language.part.kind !== 'character') return undefined;
  return { set: language.part.set, min: language.min, max: language.max };
}

function distinct(parts: readonly Language[]): Language[] {
  return [...new Set(parts)].toSorted((one, other) => one.id - other.id);
}

/** Character classes that the language does not distinguish at its start; together they are all characters. */
export function firstClasses(language: Language): readonly CharSet[] {
  switch (language.kind) {
    case 'nothing':
    case 'empty':
      return [ANY_CHARACTER];
    case 'character':
      return [language.set, complement(language.set)].filter((set) => set.length > 0);
    case 'sequence': {
      const { first, rest } = language;
      return first.hasEmpty ? refined(firstClasses(first), firstClasses(rest)) : firstClasses(first);
    }
    case 'repeat':
    case 'not':
      return firstClasses(language.part);
    case 'either':
    case 'both':
      return language.parts.map(firstClasses).reduce(refined);
  }
}

function refined(one: readonly CharSet[], other: readonly CharSet[]): readonly CharSet[] {
  return one.flatMap((set) =>
    other.map((part) => intersection(set, part)).filter((shared) => shared.length > 0),
  );
}
