import { PLAIN } from './json-values.ts';
import { patternRule, PatternRefusal } from './pattern.ts';
import { countOf, type SchemaContext, type SchemaObject } from './schema-context.ts';
import { formatPattern, FORMAT_NAMES, REGISTERED_FORMATS } from './string-formats.ts';

export function stringRule(schema: SchemaObject, path: string, context: SchemaContext): string {
  const { rules, values } = context;
  const minLength = countOf(schema, 'minLength', path, context);
  const maxLength = countOf(schema, 'maxLength', path, context);
  const texts = textsRule(schema, path, context, { minLength, maxLength });
  if (texts !== undefined) return rules.define('string-of', `"\\"" ${texts} "\\""`);
  if (minLength === undefined && maxLength === undefined) return values.string();
  if ((minLength ?? 0) > (maxLength ?? Infinity))
    context.refuse('minLength', path, 'it is more than maxLength');
  const characters = rules.repeat(values.character(), minLength ?? 0, maxLength);
  return rules.define('string-of', `"\\"" ${characters} "\\""`);
}

type Lengths = { minLength?: number | undefined; maxLength?: number | undefined };

/** What stands between the quotation marks of a string that has a pattern or a format; several must all hold. */
export function textsRule(
  schema: SchemaObject,
  path: string,
  context: SchemaContext,
  lengths: Lengths = {},
): string | undefined {
  const patterns = listOf(schema['pattern']);
  const formats = listOf(schema['format']);
  const shapes = formats.flatMap((format) => formatOf(format, patterns.length > 0, path, context) ?? []);
  const all = [...patterns.filter((pattern) => typeof pattern === 'string'), ...shapes];
  if (all.length < patterns.length + shapes.length) context.refuse('pattern', path, 'it must be a text');
  if (all.length === 0) return undefined;
  try {
    return patternRule({ patterns: all, ...lengths }, context.rules);
  } catch (error) {
    if (!(error instanceof PatternRefusal)) throw error;
    context.refuse(patterns.length > 0 ? 'pattern' : 'format', path, error.message);
    return undefined;
  }
}

/** One that schemas joined into one brought along, or each of them. */
function listOf(value: unknown): readonly unknown[] {
  return value === undefined ? [] : [value].flat();
}

/** A format that nobody registered says nothing beside the pattern that explains it. */
function formatOf(format: unknown, isExplained: boolean, path: string, context: SchemaContext) {
  const pattern = typeof format === 'string' ? formatPattern(format) : undefined;
  if (pattern !== undefined) return pattern;
  if (isExplained && typeof format === 'string' && !REGISTERED_FORMATS.has(format)) return undefined;
  context.refuse('format', path, `of the formats ${FORMAT_NAMES.join(', ')} are`);
  return undefined;
}

/** The name of a property that is none of these, with its quotation marks. */
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

/** Escapes could spell a known name in another way, so these names have none. */
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
