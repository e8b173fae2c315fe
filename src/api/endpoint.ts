import type { ParameterPolicy } from './parameters/parameter-policy.ts';
import type { Static, TSchema } from './schema.ts';

/**
 * One route of the HTTP contract. The server registers it, the client calls it and the OpenAPI document describes it.
 */
export type Endpoint = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With `{name}` for a path parameter; `{name*}` may contain slashes. */
  path: string;
  summary: string;
  tag: string;
  access: Access;
  body?: TSchema;
  /** Fields of the body in which null means "none". In all other fields it means "not given". */
  clearable?: readonly string[];
  /** For bodies from third-party clients. Without a policy, a body may only have the properties of its schema. */
  policy?: ParameterPolicy;
  /** The body is a form with a file, which is on disk before the handler runs. */
  isForm?: boolean;
  query?: TSchema;
  /** Request headers for the OpenAPI document; the handler reads them itself. */
  headers?: TSchema;
  status?: number;
  /** It only forwards work that becomes requests of its own, and those are limited. */
  isRelay?: boolean;
  /**
   * Its handler is synchronous and changes only the database: the effect, its audit record and the response stored
   * for retries are one transaction.
   */
  isAtomic?: boolean;
  response: TSchema;
  /** The media types of the response, if it is not JSON. */
  produces?: readonly string[];
  /** The schema of one server-sent event, if the response can be a stream. */
  event?: TSchema;
  /** The media type of the stream, if it is not server-sent events. */
  eventType?: string;
};

/**
 * `public` needs no credential. A scope needs an API key that has it, or the root token. `management` needs a
 * dashboard session or the root token and never accepts an API key. `control` accepts either, or a key with the scope
 * `admin`. `owner` accepts the root token only, and `session` a dashboard session only.
 */
export type Access = 'public' | Scope | 'management' | 'control' | 'owner' | 'session';
export type Scope = 'chat' | 'read' | 'write' | 'admin';

/** The request and response types of an endpoint. */
export type BodyOf<E extends Endpoint> = E['body'] extends TSchema ? Static<E['body']> : undefined;
/** Numbers and booleans in a query are parsed; an unknown parameter is rejected. */
export type QueryOf<E extends Endpoint> = E['query'] extends TSchema ? Static<E['query']> : undefined;
export type EventOf<E extends Endpoint> = E['event'] extends TSchema ? Static<E['event']> : never;
export type ResponseOf<E extends Endpoint> = Static<E['response']>;

export function endpoint<const E extends Endpoint>(definition: E): E {
  return definition;
}
