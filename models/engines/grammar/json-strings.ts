import { PLAIN } from './json-values.ts';
import { patternRule, PatternRefusal } from './pattern.ts';
import { countOf, type SchemaContext, type SchemaObject } from './schema-context.ts';

export function stringRule(schema: SchemaObject, path: string, context: SchemaContext): string {
  const { rules, values } = context;
  const minLength = countOf(schema, 'minLength', path, context);
  const maxLength = countOf(schema, 'maxLength', path, context);
  const hasLength = minLength !== undefined || maxLength !== undefined;
  const shape = patternOf(schema, path, context) ?? formatOf(schema, path, context);
  if (shape !== undefined) {
    if (hasLength)
      context.refuse(
        'minLength' in schema ? 'minLength' : 'maxLength',
        path,
        'a pattern or format has its own length',
      );
    return rules.define('string-of', `"\\"" ${shape} "\\""`);
  }
  if (!hasLength) return values.string();
  if ((minLength ?? 0) > (maxLength ?? Infinity))
    context.refuse('minLength', path, 'it is more than maxLength');
  const characters = rules.repeat(values.character(), minLength ?? 0, maxLength);
  return rules.define('string-of', `"\\"" ${characters} "\\""`);
}

function patternOf(schema: SchemaObject, path: string, context: SchemaContext): string | undefined {
  const { pattern, format } = schema;
  if (pattern === undefined) return undefined;
  if (format !== undefined) context.refuse('format', path, 'it stands beside a pattern');
  if (typeof pattern !== 'string') {
    context.refuse('pattern', path, 'it must be a text');
    return undefined;
  }
  try {
    return patternRule(pattern, context.rules);
  } catch (error) {
    if (!(error instanceof PatternRefusal)) throw error;
    context.refuse('pattern', path, error.message);
    return undefined;
  }
}

/** Days that every year has, so that a date is one. */
const DATE =
  '[0-9]{4} "-" (("0" [13578] | "1" [02]) "-" ("0" [1-9] | [12] [0-9] | "3" [01]) | ' +
  '("0" [469] | "11") "-" ("0" [1-9] | [12] [0-9] | "30") | "02-" ("0" [1-9] | "1" [0-9] | "2" [0-8]))';
const TIME =
  '([01] [0-9] | "2" [0-3]) ":" [0-5] [0-9] ":" [0-5] [0-9] ("." [0-9]{1,6})? ' +
  '("Z" | [-+] ([01] [0-9] | "2" [0-3]) ":" [0-5] [0-9])';
const BYTE = '("25" [0-5] | "2" [0-4] [0-9] | "1" [0-9]{2} | [1-9]? [0-9])';
const LABEL = '[a-z0-9] ([a-z0-9-]{0,30} [a-z0-9])?';
const HOST = `(${LABEL} "."){1,4} [a-z]{2,10}`;

/** Each makes only texts of the format, though not all of them. */
const FORMATS: Record<string, string> = {
  date: DATE,
  time: TIME,
  'date-time': `${DATE} "T" ${TIME}`,
  uuid: '[0-9a-f]{8} "-" [0-9a-f]{4} "-" [1-8] [0-9a-f]{3} "-" [89ab] [0-9a-f]{3} "-" [0-9a-f]{12}',
  ipv4: `${BYTE} ("." ${BYTE}){3}`,
  hostname: HOST,
  email: `[a-z0-9_+-]{1,30} ("." [a-z0-9_+-]{1,30}){0,3} "@" ${HOST}`,
  uri: `"http" "s"? "://" ${HOST} ("/" [a-zA-Z0-9._~-]{0,60}){0,8} ("?" [a-zA-Z0-9._~=&-]{1,120})?`,
};

/** The shape of texts of a format, without quotation marks. */
export function formatOf(schema: SchemaObject, path: string, context: SchemaContext): string | undefined {
  const { format } = schema;
  if (format === undefined) return undefined;
  const name = typeof format === 'string' && Object.hasOwn(FORMATS, format) ? format : '';
  const shape = FORMATS[name];
  if (shape !== undefined) return context.rules.define(`format-${name}`, shape);
  context.refuse('format', path, `of the formats ${Object.keys(FORMATS).join(', ')} are`);
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
