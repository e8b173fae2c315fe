import { Failure } from '../../../src/base/errors.ts';
import { isSimilar } from '../../../src/base/did-you-mean.ts';
import { join, type FieldPolicy, type PolicyNode } from './policy-tree.ts';

type Options = {
  /** Also rejects parameters without effect. */
  isStrict: boolean;
  /** Called with the path of each parameter that is dropped. */
  ignore: (path: string) => void;
};

/**
 * Removes parameters without effect from a body, and throws for unsupported ones that would change the answer. The
 * schema validates the rest.
 */
export function applyPolicy(body: unknown, node: PolicyNode | undefined, options: Options): void {
  visit(body, node, { path: '', param: '' }, options);
}

/** The path of a value, in the policy's notation and in this body. */
type Place = { path: string; param: string };

function visit(value: unknown, node: PolicyNode | undefined, place: Place, options: Options): void {
  if (node === undefined || typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    const { items } = node;
    if (items === undefined) return;
    const path = `${place.path}[]`;
    for (const [index, item] of value.entries())
      visit(item, items, { path, param: `${place.param}[${index}]` }, options);
    return;
  }
  if (node.fields) visitFields(value as Record<string, unknown>, node, place, options);
}

function visitFields(
  body: Record<string, unknown>,
  { fields, isOpen }: PolicyNode,
  { path, param }: Place,
  options: Options,
): void {
  for (const name of Object.keys(body)) {
    const field = fields?.get(name);
    const here = { path: join(path, name), param: join(param, name) };
    if (field?.kind === 'honoured') {
      visit(body[name], field.node, here, options);
      continue;
    }
    if (field === undefined) {
      if (isOpen) continue;
      refuseNearlyKnown(name, here.param, fields);
    }
    if (field?.kind === 'refused') refuse(body[name], here.param, field);
    if (options.isStrict) throw hasNoEffect(here.param);
    options.ignore(here.path);

    delete body[name];
  }
}

/** A misspelled parameter would silently change the answer. */
function refuseNearlyKnown(name: string, param: string, fields: PolicyNode['fields']): void {
  const honoured = [...(fields ?? [])].flatMap(([known, { kind }]) => (kind === 'honoured' ? [known] : []));
  const meant = isSimilar(name, honoured);
  if (meant === undefined) return;
  throw new Failure('unsupported_parameter', `There is no parameter "${param}". Did you mean "${meant}"?`, {
    param,
  });
}

function refuse(value: unknown, param: string, { refusal }: Extract<FieldPolicy, { kind: 'refused' }>): void {
  const sent = JSON.stringify(value);
  if (refusal.except?.some((harmless) => JSON.stringify(harmless) === sent)) return;
  throw new Failure('unsupported_parameter', `"${param}" is not supported. ${refusal.instead}`, { param });
}

export function hasNoEffect(param: string): Failure {
  return new Failure(
    'unsupported_parameter',
    `The parameter "${param}" is not supported: it has no effect here. Omit it, or accept such parameters: askd config set strict_parameters off`,
    { param },
  );
}
