import { expect, test } from 'vitest';
import { ENDPOINTS } from '../../../../src/api/endpoints.ts';
import { startDaemon } from '../../../helpers/daemon/daemon.ts';

type Document = {
  openapi: string;
  paths: Record<
    string,
    Record<
      string,
      {
        responses: object;
        requestBody?: { content: object };
        parameters: { name: string; in: string }[];
        security?: object[];
      }
    >
  >;
};

test('the OpenAPI document has every endpoint of the contract, with its body and answers', async () => {
  const { call } = await startDaemon();
  const document = (await call('GET', '/openapi.json', { token: null })).json<Document>();
  expect(document.openapi).toBe('3.1.0');
  const listed = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  );
  const wanted = ENDPOINTS.map(({ method, path }) => `${method.toLowerCase()} ${path.replace('*', '')}`);
  expect(listed.sort()).toEqual(wanted.sort());
  const chat = document.paths['/v1/chat/completions']?.['post'];
  expect(chat?.requestBody?.content).toMatchObject({
    'application/json': {
      schema: { properties: { temperature: { minimum: 0, maximum: 2 } }, additionalProperties: false },
    },
  });
  expect(chat?.responses).toMatchObject({ 200: { content: { 'text/event-stream': {} } }, default: {} });
  expect(document.paths['/v1/models/{model_id}']?.['get']?.parameters).toMatchObject([
    { name: 'model_id', in: 'path' },
  ]);
});

test('every documented endpoint is on the server', async () => {
  const { call } = await startDaemon();
  for (const { method, path } of ENDPOINTS.filter(
    (each) => !/\/shutdown$|\/daemon\/events$/.test(each.path),
  )) {
    const reply = await call(method, path.replace(/\{.*?\}/, 'x'));
    expect([path, reply.text]).not.toEqual([path, expect.stringContaining(`There is no ${method}`)]);
    expect([path, reply.status]).not.toEqual([path, 405]);
  }
});

test('the OpenAPI document says which routes accept a session, which a key, and which need nothing', async () => {
  const { call } = await startDaemon();
  const { paths } = (await call('GET', '/openapi.json', { token: null })).json<Document>();
  expect(paths['/api/keys']?.['get']?.security).toEqual([{ session: [] }, { bearer: [] }]);
  expect(paths['/v1/chat/completions']?.['post']?.security).toBeUndefined();
  expect(paths['/v1/models']?.['get']?.security).toEqual([]);
});

test('the OpenAPI document says where Stripe reports payments, and that its signature is what counts there', async () => {
  const { call } = await startDaemon();
  const { paths } = (await call('GET', '/openapi.json', { token: null })).json<Document>();
  const receive = paths['/api/stripe/events']?.['post'];
  expect(receive?.security).toEqual([]);
  expect(receive?.parameters).toMatchObject([{ name: 'stripe-signature', in: 'header', required: true }]);
  expect((await call('GET', '/api/stripe/events')).status).toBe(405);
});
