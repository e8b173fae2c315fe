import { expect, test } from 'vitest';
import { createClient } from '../../../../../cli/client/client.ts';
import { createCosts } from '../../../../../cli/tasks/eval/run/costs.ts';
import { scriptedServer, sendJson, type Answer } from '../../../../helpers/servers/scripted-server.ts';

const REQUEST = '/api/usage/requests/';
const unknown = { error: { message: 'There is no such route.', code: 'not_found', type: 'x', param: null } };

async function costsOf(answer: Answer) {
  const server = await scriptedServer(answer);
  const owner = createClient({ url: server.url, remote: true }, new AbortController().signal);
  return { costs: createCosts(owner, Infinity), asked: () => server.seen.length };
}

test('a server that has no such record is asked about the first answer, and about no other', async () => {
  const { costs, asked } = await costsOf((_, response) => sendJson(response, 404, unknown));
  expect(await costs.of('req_1')).toBe(null);
  const first = asked();
  expect(await costs.of('req_2')).toBe(null);
  expect([costs.spent(), asked()]).toEqual([null, first]);
});

test('a record that arrives a moment late is found, and one that never arrives stops no other', async () => {
  let late = 2;
  const { costs } = await costsOf(({ path }, response) => {
    if (path === `${REQUEST}lost` || late-- > 0) return sendJson(response, 404, unknown);
    sendJson(response, 200, { credits: 0.5 });
  });
  expect(await costs.of('late')).toBe(0.5);
  expect(await costs.of('lost')).toBe(null);
  expect(await costs.of('next')).toBe(0.5);
  expect(costs.spent()).toBe(1);
});

test('a server whose key may not see costs is asked once', async () => {
  const forbidden = { error: { ...unknown.error, code: 'insufficient_scope' } };
  const { costs, asked } = await costsOf((_, response) => sendJson(response, 403, forbidden));
  expect([await costs.of('req_1'), await costs.of('req_2'), asked()]).toEqual([null, null, 1]);
});

test('an answer without a number has no cost, and no record is requested', async () => {
  const { costs, asked } = await costsOf((_, response) => sendJson(response, 200, { credits: 1 }));
  expect([await costs.of(undefined), asked()]).toEqual([null, 0]);
});
