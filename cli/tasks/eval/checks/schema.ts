import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { matches } from './bounded-pattern.ts';
import { quote } from './quote.ts';

/** A pattern in a schema may hang like any other. */
const boundedRegExp = Object.assign(
  (pattern: string, flags: string) => ({
    test: (text: string) => matches(pattern, flags, text),
    // Ajv distinguishes patterns by this.
    toString: () => `/${pattern}/${flags}`,
  }),
  { code: '' },
);

/** Each schema is compiled separately: two in one file may have the same $id. */
function compile(schema: object | boolean) {
  const ajv = new Ajv2020({ strict: false, logger: false, code: { regExp: boundedRegExp } });
  addFormats.default(ajv, { mode: 'fast' });
  return ajv.compile(typeof schema === 'boolean' ? schema : withoutDialect(schema));
}

const compiled = new WeakMap<object, ReturnType<typeof compile>>();

/** Why a text is not JSON that matches this schema; undefined if it is. */
export function schemaObjection(schema: object | boolean, text: string): string | undefined {
  const value = parse(text);
  if (value === undefined) return `${quote(text)} is not JSON`;
  const validate = validatorOf(schema);
  if (validate(value)) return undefined;
  const [first] = validate.errors ?? [];
  const extra = (first?.params as { additionalProperty?: string } | undefined)?.additionalProperty;
  const where = first?.instancePath === '' ? 'the answer' : first?.instancePath.slice(1).replaceAll('/', '.');
  const what = extra === undefined ? first?.message : `must not have ${quote(extra)}`;
  return `${where} ${what}, in ${quote(text)}`;
}

/** Why it is not a JSON schema. */
export function objectionToSchema(schema: object | boolean): string | undefined {
  try {
    validatorOf(schema);
    return undefined;
  } catch (cause) {
    return (cause as Error).message;
  }
}

function validatorOf(schema: object | boolean) {
  if (typeof schema === 'boolean') return compile(schema);
  const validate = compiled.get(schema) ?? compile(schema);
  compiled.set(schema, validate);
  return validate;
}

/** Drafts before 2020 differ in ways that few schemas use, and this validator does not know their names. */
function withoutDialect(schema: object): object {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== '$schema'));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
