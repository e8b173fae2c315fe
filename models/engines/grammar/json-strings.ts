import { PLAIN } from './json-values.ts';
import { AS_TEXT, IN_JSON, patternRule, PatternRefusal, type Writing } from './pattern.ts';
import { textBefore } from './text-before.ts';
import { literal } from './rules.ts';
import { countOf, type SchemaContext, type SchemaObject } from './schema-context.ts';
import { formatPattern, FORMAT_NAMES, REGISTERED_FORMATS } from './string-formats.ts';

export function stringRule(schema: SchemaObject, path: string, context: SchemaContext): string {
  const { rules, values } = context;
  const { minLength, maxLength } = lengthsOf(schema, path, context);
  const texts = textsRule(schema, path, context, { writing: IN_JSON });
  if (texts !== undefined) return rules.define('string-of', `"\\"" ${texts} "\\""`);
  if (minLength === undefined && maxLength === undefined) return values.string();
  const characters = rules.repeat(values.character(), minLength ?? 0, maxLength);
  return rules.define('string-of', `"\\"" ${characters} "\\""`);
}

/** Outside of quotation marks, each count needs a state for each position within the end tag. */
const COUNTED_MAX = 200;

export function isCountedLong({ minLength, maxLength }: SchemaObject): boolean {
  return Number(minLength ?? 0) > COUNTED_MAX || Number(maxLength ?? 0) > COUNTED_MAX;
}

/** An unquoted string and what ends it. */
export function textUntil(end: string, schema: SchemaObject, path: string, context: SchemaContext): string {
  const { minLength, maxLength } = lengthsOf(schema, path, context);
  const isFree = minLength === undefined && maxLength === undefined;
  if (isCountedLong(schema)) {
    context.refuse('maxLength', path, `at most ${COUNTED_MAX} characters can be counted here`);
    return textBefore(end, context.rules);
  }
  const texts = textsRule(schema, path, context, { writing: AS_TEXT, without: end, isBounded: !isFree });
  return texts === undefined ? textBefore(end, context.rules) : `${texts} ${literal(end)}`;
}

function lengthsOf(schema: SchemaObject, path: string, context: SchemaContext) {
  const minLength = countOf(schema, 'minLength', path, context);
  const maxLength = countOf(schema, 'maxLength', path, context);
  if ((minLength ?? 0) > (maxLength ?? Infinity))
    context.refuse('minLength', path, 'it is greater than maxLength');
  return { minLength, maxLength };
}

/** The rule of a string with patterns, a format or length bounds; all patterns must match. */
function textsRule(
  schema: SchemaObject,
  path: string,
  context: SchemaContext,
  { writing, without, isBounded = false }: { writing: Writing; without?: string; isBounded?: boolean },
): string | undefined {
  const patterns = listOf(schema['pattern']);
  const formats = listOf(schema['format']);
  const shapes = formats.flatMap((format) => formatOf(format, patterns.length > 0, path, context) ?? []);
  const all = [...patterns.filter((pattern) => typeof pattern === 'string'), ...shapes];
  if (all.length < patterns.length + shapes.length) context.refuse('pattern', path, 'it must be a string');
  if (all.length === 0 && !isBounded) return undefined;
  const lengths = lengthsOf(schema, path, context);
  try {
    const texts = { patterns: all, ...lengths, ...(without !== undefined && { without }) };
    return patternRule(texts, context.rules, writing);
  } catch (error) {
    if (!(error instanceof PatternRefusal)) throw error;
    const keyword = ['pattern', 'format', 'maxLength'].find((name) => schema[name] !== undefined);
    context.refuse(keyword ?? 'minLength', path, error.message);
    return undefined;
  }
}

/** One value, or several that merged schemas contributed. */
function listOf(value: unknown): readonly unknown[] {
  return value === undefined ? [] : [value].flat();
}

/** An unregistered format adds nothing to the pattern that explains it. */
function formatOf(format: unknown, isExplained: boolean, path: string, context: SchemaContext) {
  const pattern = typeof format === 'string' ? formatPattern(format) : undefined;
  if (pattern !== undefined) return pattern;
  if (isExplained && typeof format === 'string' && !REGISTERED_FORMATS.has(format)) return undefined;
  context.refuse('format', path, `of the formats ${FORMAT_NAMES.join(', ')} are`);
  return undefined;
}

/** A property name other than these, in quotation marks. */
export function otherNames(known: readonly string[], context: SchemaContext): string {
  const { rules } = context;
  const trie = buildTrie(known);
  return rules.define('other-name', `"\\"" ${notIn(trie, context)} "\\""`);
}

type Trie = { ends: boolean; next: Map<string, Trie> };

function buildTrie(words: readonly string[]): Trie {
  const root: Trie = { ends: false, next: new Map() };
  for (const word of words) {
    let node = root;
    for (const character of word) {
      const next = node.next.get(character) ?? { ends: false, next: new Map<string, Trie>() };
      node.next.set(character, next);
      node = next;
    }
    node.ends = true;
  }
  return root;
}

/** Escapes could spell a declared name differently, so these names have none. */
function notIn({ ends, next }: Trie, context: SchemaContext): string {
  const { rules } = context;
  const plain = rules.define('plain', PLAIN);
  const spelled = [...next].filter(([character]) => isPlain(character));
  const continued = spelled.map(([character, child]) => `[${bracketed(character)}] ${notIn(child, context)}`);
  const others = spelled.map(([character]) => bracketed(character)).join('');
  const different = others === '' ? `${plain}+` : `${PLAIN.slice(0, -1)}${others}] ${plain}*`;
  const alternatives = [...(ends ? [] : ['""']), different, ...continued];
  return rules.define('not-known', alternatives.join(' | '));
}

function isPlain(character: string): boolean {
  return character >= ' ' && !'"\\\x7f'.includes(character);
}

function bracketed(character: string): string {
  return /[\]\\^-]/.test(character) ? `\\x${character.charCodeAt(0).toString(16).toUpperCase()}` : character;
}
