import type { ParameterPolicy } from './parameters/parameter-policy.ts';
import type { Static, TSchema } from './schema.ts';

/** One route of the HTTP contract. The server mounts it, the client calls it and the OpenAPI document shows it. */
export type Endpoint = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With `{name}` for a path parameter; `{name*}` may hold slashes. */
  path: string;
  summary: string;
  tag: string;
  access: Access;
  body?: TSchema;
  /** For bodies that others' clients send; without one, a body may have nothing that its schema does not know. */
  policy?: ParameterPolicy;
  /** The body is a form with a file in it, which lies on disk by the time the handler runs. */
  isForm?: boolean;
  query?: TSchema;
  /** What its sender puts into headers, for who reads the document; the handler looks at them itself. */
  headers?: TSchema;
  status?: number;
  /** Its handler is synchronous: what it does and the answer kept for a retry are one transaction. */
  isAtomic?: boolean;
  response: TSchema;
  /** The media types of the answer, where it is not JSON. */
  produces?: readonly string[];
  /** Shape of one server-sent event, where the answer can be a stream. */
  event?: TSchema;
  /** Of the stream, where it is not one of server-sent events. */
  eventType?: string;
};

/**
 * `public` needs no credential. A scope needs an API key that has it, or the root token. `management` needs a
 * dashboard session or the root token and never takes an API key. `control` takes either, or a key with the scope
 * `admin`. `owner` takes the root token alone.
 */
export type Access = 'public' | Scope | 'management' | 'control' | 'owner';
export type Scope = 'chat' | 'read' | 'write' | 'admin';

/** What a caller sends to an endpoint, and what it gets back. */
export type BodyOf<E extends Endpoint> = E['body'] extends TSchema ? Static<E['body']> : undefined;
/** Numbers and booleans in a query are read as such; an unknown parameter is refused. */
export type QueryOf<E extends Endpoint> = E['query'] extends TSchema ? Static<E['query']> : undefined;
export type ResponseOf<E extends Endpoint> = Static<E['response']>;

export function endpoint<const E extends Endpoint>(definition: E): E {
  return definition;
}
