import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readCassette } from '../../../../../src/client/testing/cassette/file.ts';
import { checkedMatch, compileRules } from '../../../../../src/client/testing/cassette/rules.ts';
import { openCassette, post } from '../../../../helpers/servers/cassette.ts';
import { scriptedServer, sendJson } from '../../../../helpers/servers/scripted-server.ts';

const DATE = String.raw`/\d{4}-\d\d-\d\d/`;
const tool = (name: string, description = 'd') => ({ type: 'function', function: { name, description } });
const asking = (content: string, more: object = {}) => ({
  model: 'm',
  messages: [{ role: 'user', content }],
  ...more,
});

type Recording = { body: object; path?: string; match?: Record<string, string>; ignore?: string[] };

/** Records one request under these rules, and replays without any flag. */
async function recorded({ body, path = '/chat/completions', ...rules }: Recording) {
  const upstream = await scriptedServer((_request, response) => sendJson(response, 200, { ok: true }));
  const cassette = openCassette();
  const recorder = await cassette.record({ upstream: { baseUrl: upstream.url }, ...rules });
  await post(`${recorder.baseUrl}${path}`, body);
  await recorder.close();
  const { baseUrl } = await cassette.replay();
  return {
    ...cassette,
    ask: async (other: object, at = path): Promise<string> => {
      const response = await post(`${baseUrl}${at}`, other);
      if (response.status === 200) return 'replayed';
      const { error } = (await response.json()) as { error: { message: string } };
      return error.message.replace(/^.*?The nearest is on line 2: /, '');
    },
  };
}

test('what matches a pattern may differ, and the rest of the text may not', async () => {
  const { ask } = await recorded({
    body: asking('Today is 2026-11-27. Hello.'),
    match: { 'body.messages.*.content': DATE },
  });
  expect(await ask(asking('Today is 2027-01-31. Hello.'))).toBe('replayed');
  expect(await ask(asking('Today is tomorrow. Hello.'))).toBe(
    `body.messages.0.content is "Today is tomorrow. Hello.", and was "Today is ${DATE.replaceAll('\\', '\\\\')}. Hello.".`,
  );
  expect(await ask(asking('Today is 2027-01-31. Bye.'))).toContain('. Bye."');
});

test('a pattern applies to everything below its field, to numbers, and to the path and the query', async () => {
  const match = { body: DATE, 'body.seed': '/.+/', path: String.raw`/run_\w+/`, 'query.page': '/[0-9]+/' };
  const body = asking('2026-11-27', { metadata: { day: '2026-11-28' }, seed: 7 });
  const { ask } = await recorded({ body, path: '/runs/run_a?page=1&sort=up', match });
  const other = asking('2020-01-01', { metadata: { day: '2020-01-02' }, seed: 8 });
  expect(await ask(other, '/runs/run_b?page=22&sort=up')).toBe('replayed');
  expect(await ask(other, '/runs/run_b?page=22&sort=down')).toBe('query.sort.0 is "down", and was "up".');
});

test('a set is equal in any order, and only what is not in both of them differs', async () => {
  const tools = [tool('a'), tool('b'), tool('c')];
  const { ask } = await recorded({ body: asking('x', { tools }), match: { 'body.tools': 'set' } });
  expect(await ask(asking('x', { tools: tools.toReversed() }))).toBe('replayed');
  expect(await ask(asking('x', { tools: [tool('c'), tool('b', 'z'), tool('a')] }))).toBe(
    'body.tools.*.function.description is "z", and was "d".',
  );
  expect(await ask(asking('x', { tools: [tool('c'), tool('a')] }))).toContain(
    'body.tools.*.function.name is not there, and was "b"',
  );
  // As often as it occurs.
  expect(await ask(asking('x', { tools: [...tools, tool('a')] }))).toContain(
    'body.tools.*.function.name is "a", and was not there',
  );
});

test('without a rule, the order of a list matters', async () => {
  const { ask } = await recorded({ body: asking('x', { tools: [tool('a'), tool('b')] }) });
  expect(await ask(asking('x', { tools: [tool('b'), tool('a')] }))).toBe(
    'body.tools.0.function.name is "b", and was "a"; body.tools.1.function.name is "a", and was "b".',
  );
});

test('the first line keeps the rules, and a later recording adds to them', async () => {
  const first = await recorded({ body: asking('x'), match: { 'body.tools': 'set' }, ignore: ['body.user'] });
  const upstream = await scriptedServer((_request, response) => sendJson(response, 200, { ok: true }));
  const recorder = await first.record({
    upstream: { baseUrl: upstream.url },
    update: 'new',
    match: { 'body.messages': DATE },
    ignore: ['body.user', 'body.seed'],
  });
  await post(`${recorder.baseUrl}/chat/completions`, asking('x', { user: 'me', seed: 3 }));
  await post(`${recorder.baseUrl}/chat/completions`, asking('2026-11-27'));
  await recorder.close();
  expect(recorder.counts).toMatchObject({ replayed: 1, recorded: 1 });
  expect(JSON.parse(first.text().split('\n')[0] ?? '')).toEqual({
    cassette: 1,
    ignore: ['body.user', 'body.seed'],
    match: { 'body.tools': 'set', 'body.messages': DATE },
  });
});

test.each([
  [{ 'body.x': 'sets' }, '"body.x" must have a /pattern/ or the word set.'],
  [{ 'body.x': '/(/' }, '"body.x": Invalid regular expression'],
  [['body.x'], '"match" must have a rule for each field.'],
])('a first line with %j is refused', async (match, message) => {
  const { file } = await recorded({ body: asking('x') });
  const [, ...rest] = readFileSync(file, 'utf8').split('\n');
  writeFileSync(file, [JSON.stringify({ cassette: 1, match }), ...rest].join('\n'));
  expect(() => readCassette(file)).toThrow(message);
});

test('the flag g of a pattern changes nothing', () => {
  const rules = compileRules({ ignore: [], match: { 'body.x': '/a/g' } });
  expect(rules.valueOf('banana', ['body', 'x'])).toBe('b/a/gn/a/gn/a/g');
});

test('a program may pass a pattern as a RegExp', () => {
  expect(checkedMatch({ 'body.x': /a+/i, 'body.tools': 'set' })).toEqual({
    'body.x': '/a+/i',
    'body.tools': 'set',
  });
  expect(() => checkedMatch({ 'body.x': 'any' })).toThrow('The rule of "body.x" must have');
});
