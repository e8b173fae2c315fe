import { ANY_CHARACTER } from './char-set.ts';
import type { Language, Languages } from './language.ts';
import { PatternRefusal, type Pattern } from './pattern-syntax.ts';

/** The strings that contain a match of the pattern. */
export function patternLanguage(pattern: Pattern, languages: Languages): Language {
  const { anything, sequence, either, character } = languages;
  const atStart = found(pattern, { then: anything, place: 'start', languages });
  const later = found(pattern, { then: anything, place: 'later', languages });
  if (atStart === later) return sequence(anything, later);
  return either(atStart, sequence(sequence(character(ANY_CHARACTER), anything), later));
}

type Place = 'start' | 'later' | 'either';
type Following = {
  /** What follows the part, which a look-ahead can see. */
  then: Language;
  place: Place;
  languages: Languages;
};

function found(pattern: Pattern, following: Following): Language {
  const { then, place, languages } = following;
  const { nothing, empty, anything, sequence, either, both, not } = languages;
  if (isPlain(pattern)) return sequence(plainLanguage(pattern, languages), then);
  switch (pattern.kind) {
    case 'sequence':
      return sequenceFound(pattern.parts, following);
    case 'either':
      return either(...pattern.parts.map((part) => found(part, following)));
    case 'start':
      if (place === 'either') throw new PatternRefusal('"^" follows something that may be empty');
      return place === 'start' ? then : nothing;
    case 'end':
      return both(empty, then);
    case 'ahead': {
      const ahead = found(pattern.part, { ...following, then: anything });
      return both(pattern.isNegated ? not(ahead) : ahead, then);
    }
    case 'repeat': {
      if (pattern.max !== 1) throw new PatternRefusal('it repeats an anchor or a look-ahead');
      return either(found(pattern.part, following), then);
    }
    case 'character':
      return nothing;
  }
}

function sequenceFound(parts: readonly Pattern[], following: Following): Language {
  let { place } = following;
  const places = parts.map((part) => {
    const before = place;
    if (!hasNoWidth(part) && place !== 'later') place = canBeEmpty(part) ? 'either' : 'later';
    return before;
  });
  return parts.reduceRight(
    (then, part, index) => found(part, { ...following, then, place: places[index] ?? 'later' }),
    following.then,
  );
}

function plainLanguage(pattern: Pattern, languages: Languages): Language {
  const { empty, character, sequence, either, repeat } = languages;
  if (pattern.kind === 'character') return character(pattern.set);
  if (pattern.kind === 'repeat') {
    return repeat(plainLanguage(pattern.part, languages), pattern.min, pattern.max);
  }
  const parts = 'parts' in pattern ? pattern.parts.map((part) => plainLanguage(part, languages)) : [];
  return pattern.kind === 'either'
    ? either(...parts)
    : parts.reduceRight((rest, first) => sequence(first, rest), empty);
}

/** Without anchors and look-aheads. */
function isPlain(pattern: Pattern): boolean {
  if ('parts' in pattern) return pattern.parts.every(isPlain);
  return pattern.kind === 'character' || (pattern.kind === 'repeat' && isPlain(pattern.part));
}

function hasNoWidth(pattern: Pattern): boolean {
  if ('parts' in pattern) return pattern.parts.every(hasNoWidth);
  return pattern.kind !== 'character' && (pattern.kind !== 'repeat' || hasNoWidth(pattern.part));
}

function canBeEmpty(pattern: Pattern): boolean {
  if (pattern.kind === 'sequence') return pattern.parts.every(canBeEmpty);
  if (pattern.kind === 'either') return pattern.parts.some(canBeEmpty);
  if (pattern.kind === 'repeat') return pattern.min === 0 || canBeEmpty(pattern.part);
  return pattern.kind !== 'character';
}
