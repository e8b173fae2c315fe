import type { Access, Endpoint } from '../../src/api/endpoint.ts';
import { ENDPOINTS } from '../../src/api/endpoints.ts';
import type { TSchema } from '../../src/api/schema.ts';
import { FAILURES } from '../../src/base/errors.ts';
import { code, table } from './page.ts';

const ACCESS: Record<Access, string> = {
  public: 'none',
  chat: 'key with `chat`',
  read: 'key with `read`',
  write: 'key with `write`',
  admin: 'key with `admin`',
  management: 'dashboard session or root token',
  control: 'dashboard session, root token or key with `admin`',
  owner: 'root token',
  session: 'dashboard session',
};

/** Every route by topic, the parameters of each body, and every error code. */
export function apiReference(): string {
  const topics = [...new Set(ENDPOINTS.map(({ tag }) => tag))];
  return [
    '## Routes',
    ...topics.map((tag) => `### ${tag}\n\n${routesTable(ENDPOINTS.filter((each) => each.tag === tag))}`),
    '## Request bodies',
    ...ENDPOINTS.filter(({ body }) => fieldsOf(body).length > 0).map(bodySection),
    `## Errors\n\n${errorsTable()}`,
  ].join('\n\n');
}

function routesTable(endpoints: readonly Endpoint[]): string {
  const rows = endpoints.map(({ method, path, summary, access }) => [
    code(`${method} ${path}`),
    summary,
    ACCESS[access],
  ]);
  return table(['Route', 'What it does', 'Needs'], rows);
}

function bodySection({ method, path, body, policy }: Endpoint): string {
  const rows = fieldsOf(body).map(([name, schema, isRequired]) => [
    code(name),
    typeOf(schema),
    isRequired ? 'required' : '',
  ]);
  const notes = [
    policy && policy.withoutEffect.length > 0
      ? `Accepted without effect, and named in \`x-askd-ignored\`: ${list(policy.withoutEffect)}.`
      : undefined,
    policy?.refused && Object.keys(policy.refused).length > 0
      ? `Rejected with what to do instead: ${list(Object.keys(policy.refused))}.`
      : undefined,
  ].filter((note) => note !== undefined);
  return [`### ${code(`${method} ${path}`)}`, table(['Field', 'Type', ''], rows), ...notes].join('\n\n');
}

type Field = readonly [name: string, schema: TSchema, isRequired: boolean];

function fieldsOf(body: TSchema | undefined): Field[] {
  const { properties = {}, required = [] } = (body ?? {}) as {
    properties?: Record<string, TSchema>;
    required?: readonly string[];
  };
  return Object.entries(properties).map(([name, schema]) => [name, schema, required.includes(name)] as const);
}

type Described = {
  type?: string | readonly string[];
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly Described[];
  oneOf?: readonly Described[];
  items?: Described;
  minimum?: number;
  maximum?: number;
};

/** The type in a reader's words: `"auto" or object`, `integer, 1 to 8`. */
function typeOf(schema: TSchema): string {
  const { type, const: constant, enum: values, anyOf, oneOf, items, minimum, maximum } = schema as Described;
  const choices = anyOf ?? oneOf;
  if (choices !== undefined) return [...new Set(choices.map((each) => typeOf(each as TSchema)))].join(' or ');
  if (constant !== undefined) return code(JSON.stringify(constant));
  if (values !== undefined) return values.map((value) => code(JSON.stringify(value))).join(' or ');
  if (type === 'array') return items === undefined ? 'array' : `array of ${typeOf(items)}`;
  const range =
    minimum !== undefined && maximum !== undefined
      ? `, ${minimum} to ${maximum}`
      : minimum !== undefined
        ? `, at least ${minimum}`
        : maximum !== undefined
          ? `, at most ${maximum}`
          : '';
  return `${typeof type === 'string' ? type : (type ?? ['any']).join(' or ')}${range}`;
}

function errorsTable(): string {
  const rows = Object.entries(FAILURES).map(([name, failure]) => {
    const { status, exit, type } = failure;
    return [code(name), String(status), code(type), String(exit)];
  });
  return table(['Code', 'HTTP status', 'Type', 'Exit code of `askd`'], rows);
}

function list(names: readonly string[]): string {
  return names.map(code).join(', ');
}
