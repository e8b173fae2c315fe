import * as client from 'askd/client';
import { expect, test } from 'vitest';
import { clientTypes } from '../../../scripts/package/client-types/client-types.ts';
import { ENDPOINTS } from '../../../src/api/endpoints.ts';
import { ROUTES } from '../../../src/client/routes.ts';

/** For these there are well-known packages, or they are only for a browser's login, Stripe or the command line. */
const LEFT_OUT = [
  /^\w+ \/v1\/(chat\/|completions|responses|conversations|messages|files|batches|vector_stores)/,
  /^POST \/(tokenize|detokenize)$/,
  /^POST \/(v2\/rerank|rerank|reranking|v1\/reranking)$/,
  /^POST \/v1\/moderations$/,
  /^POST \/api\/(login|login\/oidc|login\/oidc\/finish|login-codes|sessions|sessions\/current\/key|root-token\/rotate|stripe\/events)$/,
  /^(POST|DELETE) \/mcp$/,
  /^POST \/api\/daemon\/snapshot$/,
  /^GET \/health$/,
];

const routes = Object.values(ROUTES).flatMap((group) => Object.values(group as Record<string, string>));
const nameOf = (route: string) => route.split(' ').slice(0, 2).join(' ');

test('the client has every route of the API except those for chat, other packages and browsers', () => {
  const wanted = ENDPOINTS.filter(({ tag }) => tag !== 'Ollama')
    .map(({ method, path }) => `${method} ${path}`)
    .filter((name) => !LEFT_OUT.some((pattern) => pattern.test(name)));
  expect([...new Set(routes.map(nameOf))].sort()).toEqual([...wanted].sort());
});

test('the types name what the module exports', () => {
  const named = [...clientTypes().matchAll(/^export (?:class|function) (\w+)/gm)].map(([, name]) => name);
  expect(named.sort()).toEqual(Object.keys(client).sort());
  const { pulls, ...groups } = client.createClient();
  const methods = Object.entries({ ...groups, pulls }).map(([name, group]) => [name, Object.keys(group)]);
  const routes = Object.entries(ROUTES).map(([name, group]) => [name, Object.keys(group)]);
  expect(Object.fromEntries(methods)).toEqual({
    ...Object.fromEntries(routes),
    pulls: [...Object.keys(ROUTES.pulls), 'follow'],
  });
});

test('every pattern of what is left out still matches', () => {
  const names = ENDPOINTS.map(({ method, path }) => `${method} ${path}`);
  expect(LEFT_OUT.filter((pattern) => !names.some((name) => pattern.test(name)))).toEqual([]);
});

test.each(routes)('%s takes and returns what its endpoint does', (route) => {
  const marks = route.split(' ').slice(2);
  const endpoint = ENDPOINTS.find(({ method, path }) => nameOf(route) === `${method} ${path}`);
  if (!endpoint) throw new Error('There is no such endpoint');
  const { body, query, event, produces, isForm } = endpoint;
  const canChoose = body !== undefined && 'stream' in (body as { properties?: object }).properties!;
  expect(marks.includes('form')).toBe(isForm ?? false);
  expect(marks.includes('body')).toBe(body !== undefined && !isForm);
  expect(marks.includes('query')).toBe(query !== undefined);
  if (marks.includes('stream')) expect(canChoose).toBe(true);
  if (marks.includes('events')) expect(canChoose).toBe(false);
  if (marks.includes('stream') || marks.includes('events')) expect(event).toBeDefined();
  else expect(marks.includes('bytes') || marks.includes('text')).toBe(produces !== undefined);
});
