import type { Endpoint } from '../../../src/api/endpoint.ts';
import { ENDPOINTS } from '../../../src/api/endpoints.ts';
import { WEBHOOK_EVENTS, webhookBody, WebhookTestData } from '../../../src/api/account/webhook-events.ts';
import { ROUTES } from '../../../src/client/routes.ts';
import { HEAD } from './head.ts';
import { commentOf, createTypes } from './schema-type.ts';

type Types = ReturnType<typeof createTypes>;

/** The declarations of `askd/client`, generated from the schemas of the API. */
export function clientTypes(): string {
  const types = createTypes();
  const groups = Object.entries(ROUTES).map(
    ([name, routes]) => `${name}: {\n${methodsOf(routes, types)}${name === 'pulls' ? FOLLOW : ''}};`,
  );
  const client = `export type Client = {\n${groups.join('\n')}\n};`;
  return [HEAD, webhookEvent(types), client, ...types.declarations(), ''].join('\n\n');
}

const FOLLOW = `
/** Start or join a download and yield its progress until the model is ready; yields nothing if it already is. */
follow(body: Parameters<Client["pulls"]["start"]>[0], options?: RequestOptions): AsyncIterable<Pull>;
`;

function methodsOf(routes: Record<string, string>, types: Types): string {
  return Object.entries(routes)
    .map(([name, route]) => {
      const [method, path, ...marks] = route.split(' ');
      const endpoint = ENDPOINTS.find((each) => each.method === method && each.path === path);
      if (!endpoint) throw new Error(`The client has a route that the API has not: ${route}`);
      const { parameters, result } = signatureOf(endpoint, marks, types);
      return `${commentOf(`${endpoint.summary}. ${method} ${path}`)}${name}(${parameters}): ${result};\n`;
    })
    .join('');
}

function signatureOf(endpoint: Endpoint, marks: readonly string[], { typeOf }: Types) {
  const names = [...endpoint.path.matchAll(/\{(\w+)\*?\}/g)].map(([, name]) => `${name}: string`);
  return {
    parameters: [...names, ...inputOf(endpoint, marks, typeOf), 'options?: RequestOptions'].join(', '),
    result: resultOf(endpoint, marks, typeOf),
  };
}

function inputOf({ body, query }: Endpoint, marks: readonly string[], typeOf: Types['typeOf']): string[] {
  if (marks.includes('form')) return ['form: FormData'];
  if (marks.includes('query') && query) return [`query${isFree(query) ? '?' : ''}: ${typeOf(query)}`];
  if (marks.includes('body') && body) return [`body${isFree(body) ? '?' : ''}: ${typeOf(body)}`];
  return [];
}

/** Whether nothing in it is required. */
function isFree(schema: object): boolean {
  return !('required' in schema) && !('minProperties' in schema);
}

function resultOf({ response, event }: Endpoint, marks: readonly string[], typeOf: Types['typeOf']): string {
  if (marks.includes('bytes')) return 'Promise<Response>';
  if (marks.includes('text')) return 'Promise<string>';
  const isStream = marks.includes('stream') || marks.includes('events');
  return isStream ? `AsyncIterable<${typeOf(event ?? {})}>` : `Promise<${typeOf(response)}>`;
}

function webhookEvent({ typeOf }: Types): string {
  const events = [
    ...Object.entries(WEBHOOK_EVENTS).map(([type, { data }]) => typeOf(webhookBody(type, data))),
    typeOf(webhookBody('webhook.test', WebhookTestData)),
  ];
  return `export type WebhookEvent =\n${events.map((event) => `| ${event}`).join('\n')};`;
}
