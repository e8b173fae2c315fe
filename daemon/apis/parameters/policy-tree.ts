import type { ParameterPolicy, Refusal } from '../../../src/api/parameters/parameter-policy.ts';
import type { TSchema } from '../../../src/api/schema.ts';

/** What is known about a value in a body; undefined if anything is allowed. */
export type PolicyNode = {
  /** The fields of an object. Others are allowed only if it is open. */
  fields?: ReadonlyMap<string, FieldPolicy>;
  isOpen?: boolean;
  /** The items of a list. */
  items?: PolicyNode;
};

export type FieldPolicy =
  | { kind: 'honoured'; node: PolicyNode | undefined }
  | { kind: 'withoutEffect' }
  | { kind: 'refused'; refusal: Refusal };

type Schema = {
  type?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: boolean;
  items?: Schema;
  anyOf?: Schema[];
};

/** Combines the schema of a body and its policy, so that one walk through a body applies both. */
export function policyTree(schema: TSchema, policy: ParameterPolicy): PolicyNode | undefined {
  return nodeFor([schema], '', policy);
}

/** A value may match any of several schemas: whatever one of them knows is known. */
function nodeFor(schemas: readonly Schema[], path: string, policy: ParameterPolicy): PolicyNode | undefined {
  const choices = schemas.flatMap(alternatives);
  const objects = choices.filter(({ type, properties }) => type === 'object' && properties !== undefined);
  const lists = choices.flatMap(({ items }) => items ?? []);
  const items = lists.length > 0 ? nodeFor(lists, `${path}[]`, policy) : undefined;
  if (objects.length === 0) return items && { items };
  return {
    fields: fieldsOf(objects, path, policy),
    isOpen: choices.some(isOpenObject),
    ...(items && { items }),
  };
}

function alternatives(schema: Schema): Schema[] {
  return schema.anyOf ? schema.anyOf.flatMap(alternatives) : [schema];
}

function isOpenObject({ type, additionalProperties }: Schema): boolean {
  return type === undefined || (type === 'object' && additionalProperties !== false);
}

function fieldsOf(
  objects: readonly Schema[],
  path: string,
  policy: ParameterPolicy,
): Map<string, FieldPolicy> {
  const fields = new Map<string, FieldPolicy>();
  const names = new Set(objects.flatMap(({ properties = {} }) => Object.keys(properties)));
  for (const name of names) {
    const schemas = objects.flatMap(({ properties = {} }) => properties[name] ?? []);
    fields.set(name, { kind: 'honoured', node: nodeFor(schemas, join(path, name), policy) });
  }
  for (const name of childrenOf(path, policy.withoutEffect)) fields.set(name, { kind: 'withoutEffect' });
  for (const name of childrenOf(path, Object.keys(policy.refused ?? {}))) {
    const refusal = policy.refused?.[join(path, name)];
    if (refusal) fields.set(name, { kind: 'refused', refusal });
  }
  return fields;
}

function childrenOf(path: string, paths: readonly string[]): string[] {
  const prefix = path === '' ? '' : `${path}.`;
  return paths
    .filter((one) => one.startsWith(prefix))
    .map((one) => one.slice(prefix.length))
    .filter((rest) => /^[^.[]+$/.test(rest));
}

export function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
