import type { FastifyInstance } from 'fastify';
import type { TSchema } from '../../../src/api/schema.ts';
import { ErrorBody } from '../../../src/api/error.ts';
import { ENDPOINTS } from '../../../src/api/endpoints.ts';
import type { Access, Endpoint } from '../../../src/api/endpoint.ts';
import type { ParameterPolicy } from '../../../src/api/parameters/parameter-policy.ts';
import { WEBHOOK_EVENTS, WebhookHeaders, webhookBody } from '../../../src/api/account/webhook-events.ts';
import { version } from '../../../src/base/version.ts';

export function registerOpenapi(app: FastifyInstance): void {
  let document: string | undefined;
  app.get('/openapi.json', (_request, reply) => {
    document ??= JSON.stringify(describeApi());
    return reply.type('application/json; charset=utf-8').send(document);
  });
}

export function describeApi() {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const endpoint of ENDPOINTS) {
    const path = endpoint.path.replace(/\*\}/g, '}');
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: describeOperation(endpoint) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'askd', version, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    security: [{ bearer: [] }],
    paths,
    webhooks: describeWebhooks(),
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        session: { type: 'apiKey', in: 'cookie', name: 'askd_session_PORT' },
      },
      schemas: { Error: ErrorBody },
    },
  };
}

/** The webhooks that askd sends, and who receives them. */
function describeWebhooks() {
  const entries = Object.entries(WEBHOOK_EVENTS).map(([type, { summary, data, example }]) => [
    type,
    {
      post: {
        summary,
        tags: ['Webhooks'],
        parameters: headerParameters(WebhookHeaders),
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: webhookBody(type, data),
              example: { type, timestamp: '2027-01-31T12:00:00.000Z', data: example },
            },
          },
        },
        responses: {
          '2XX': { description: 'The delivery succeeded.' },
          410: { description: 'The webhook is disabled and receives nothing more.' },
          default: { description: 'The delivery is retried later.' },
        },
      },
    },
  ]);
  return Object.fromEntries(entries) as Record<string, unknown>;
}

function headerParameters(headers: Endpoint['headers']) {
  return propertiesOf(headers).map((header) => ({ ...header, in: 'header' }));
}

function describeOperation(endpoint: Endpoint) {
  const json = (schema: unknown) => ({ 'application/json': { schema } });
  const content = {
    ...(endpoint.produces ? filesOf(endpoint.produces) : json(endpoint.response)),
    ...(endpoint.event && { [endpoint.eventType ?? 'text/event-stream']: { schema: endpoint.event } }),
  };
  return {
    summary: endpoint.summary,
    tags: [endpoint.tag],
    ...securityOf(endpoint.access),
    parameters: [
      ...pathParameters(endpoint.path),
      ...queryParameters(endpoint.query),
      ...headerParameters(endpoint.headers),
    ],
    ...(endpoint.body && { requestBody: { required: true, content: bodyContent(endpoint) } }),
    ...(endpoint.policy && describePolicy(endpoint.policy)),
    responses: {
      [endpoint.status ?? 200]: { description: endpoint.summary, content },
      default: {
        description: 'An error',
        content: json({ $ref: '#/components/schemas/Error' }),
      },
    },
  };
}

function describePolicy({ withoutEffect, refused = {} }: ParameterPolicy) {
  const reasons = Object.entries(refused).map(([name, { instead }]) => [name, instead]);
  return {
    'x-accepted-without-effect': withoutEffect,
    'x-refused': Object.fromEntries(reasons) as Record<string, string>,
  };
}

function filesOf(types: readonly string[]): Record<string, object> {
  return Object.fromEntries(types.map((type) => [type, {}]));
}

function bodyContent({ body, isForm }: Endpoint) {
  return { [isForm ? 'multipart/form-data' : 'application/json']: { schema: body } };
}

/** The document's default security applies unless stated otherwise. */
function securityOf(access: Access) {
  if (access === 'public') return { security: [] };
  if (access === 'session') return { security: [{ session: [] }] };
  return access === 'management' || access === 'control'
    ? { security: [{ session: [] }, { bearer: [] }] }
    : {};
}

function pathParameters(path: string) {
  return [...path.matchAll(/\{(\w+)\*?\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function queryParameters(query: Endpoint['query']) {
  return propertiesOf(query).map((parameter) => ({ ...parameter, in: 'query' }));
}

function propertiesOf(object: TSchema | undefined) {
  const { properties = {}, required = [] } = (object ?? {}) as {
    properties?: Record<string, unknown>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    required: required.includes(name),
    schema,
  }));
}
