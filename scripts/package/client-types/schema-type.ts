type Schema = object;
type Keywords = {
  $id?: string;
  const?: unknown;
  enum?: readonly unknown[];
  type?: string;
  anyOf?: readonly Schema[];
  properties?: Record<string, Schema>;
  required?: readonly string[];
  patternProperties?: Record<string, Schema>;
  items?: Schema;
  description?: string;
};

const PLAIN = { integer: 'number', number: 'number', string: 'string', boolean: 'boolean', null: 'null' };

/** The TypeScript type of a JSON Schema of this API. Schemas with an `$id` become types with that name. */
export function createTypes() {
  const named = new Map<string, string>();

  function typeOf(schema: Schema): string {
    const { $id: id } = schema as Keywords;
    if (id === undefined) return shapeOf(schema);
    const shape = shapeOf(schema);
    if (named.has(id) && named.get(id) !== shape) throw new Error(`Two schemas are named ${id}`);
    named.set(id, shape);
    return id;
  }

  function shapeOf(schema: Schema): string {
    const { type = '', enum: values, anyOf, properties, items = {}, ...rest } = schema as Keywords;
    if ('const' in rest) return JSON.stringify(rest.const);
    if (values) return values.map((value) => JSON.stringify(value)).join(' | ');
    if (anyOf) return [...new Set(anyOf.map(typeOf))].join(' | ');
    if (type === 'array') return `(${typeOf(items)})[]`;
    if (properties) return objectOf(properties, rest.required);
    if (type === 'object')
      return `Record<string, ${typeOf(Object.values(rest.patternProperties ?? {})[0] ?? {})}>`;
    return type in PLAIN ? PLAIN[type as keyof typeof PLAIN] : 'unknown';
  }

  function objectOf(properties: Record<string, Schema>, required: readonly string[] = []): string {
    const fields = Object.entries(properties).map(
      ([name, field]) =>
        `${commentOf((field as Keywords).description)}${keyOf(name)}${required.includes(name) ? '' : '?'}: ${typeOf(field)};`,
    );
    return `{\n${fields.join('\n')}\n}`;
  }

  /** The named types encountered so far, as declarations. */
  const declarations = () =>
    [...named]
      .sort(([a], [b]) => a.localeCompare(b, 'en'))
      .map(([id, shape]) => `export type ${id} = ${shape};`);

  return { typeOf, declarations };
}

export function commentOf(text: unknown): string {
  return typeof text === 'string' ? `/** ${text.replaceAll('*/', '* /')} */\n` : '';
}

function keyOf(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}
