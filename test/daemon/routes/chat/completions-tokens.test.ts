import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDaemonWith, type ChatDaemon } from '../../../helpers/daemon/chat.ts';
import { randomModel } from '../../../helpers/models/models.ts';

type Body = { choices: { text: string; index: number }[]; usage: { prompt_tokens: number } };

let daemon: ChatDaemon;

beforeAll(async () => {
  daemon = await openDaemonWith({ random: await randomModel('qwen2', { seed: 1 }) });
});
afterAll(() => daemon.close());

const post = (body: Record<string, unknown>) =>
  daemon.call('POST', '/v1/completions', {
    token: daemon.key,
    body: { model: 'random', max_tokens: 8, temperature: 0, ...body },
  });
const complete = async (body: Record<string, unknown>) => {
  const reply = await post(body);
  expect([reply.status, reply.status === 200 ? '' : reply.text]).toEqual([200, '']);
  return reply.json<Body>();
};

/** Tokens of these models are the bytes of a text. */
const tokensOf = (text: string) => [...Buffer.from(text)];

test('a prompt of tokens is continued like its text', async () => {
  const text = await complete({ prompt: 'Hello there' });
  expect(await complete({ prompt: tokensOf('Hello there') })).toMatchObject({
    choices: text.choices,
    usage: { prompt_tokens: tokensOf('Hello there').length },
  });
});

test('an empty prompt is the beginning of any text', async () => {
  const { usage } = await complete({ prompt: '' });
  expect(usage.prompt_tokens).toBe(1);
});

test('a batch may have prompts of tokens and of text', async () => {
  const { choices } = await complete({ prompt: [tokensOf('Hello'), 'Goodbye', tokensOf('Goodbye')] });
  expect(choices.map(({ index }) => index)).toEqual([0, 1, 2]);
  expect(choices[1]?.text).toBe(choices[2]?.text);
});

test('a token is banned or preferred by logit_bias', async () => {
  const [preferred] = tokensOf('Z');
  const { choices } = await complete({
    prompt: 'Hello',
    max_tokens: 3,
    logit_bias: { [String(preferred)]: 100 },
  });
  expect(choices[0]?.text).toBe('ZZZ');
});

test('an answer can follow a grammar or a schema', async () => {
  const { choices } = await complete({ prompt: 'Hello', temperature: 1, grammar: 'root ::= "yes" | "no"' });
  expect(choices[0]?.text).toMatch(/^(yes|no)$/);
  const schema = {
    type: 'object',
    properties: { ok: { const: true } },
    required: ['ok'],
    additionalProperties: false,
  };
  const bound = await complete({ prompt: 'Hello', max_tokens: 60, json_schema: schema });
  expect(JSON.parse(bound.choices[0]?.text ?? '')).toEqual({ ok: true });
});

test('more than four stop texts work', async () => {
  const plain = (await complete({ prompt: 'Hello', max_tokens: 40 })).choices[0]?.text ?? '';
  const at = plain.indexOf([...plain].find((letter) => letter >= ' ' && letter <= '~') ?? '');
  expect(at).toBeGreaterThanOrEqual(0);
  const stop = ['one', 'two', 'three', 'four', plain[at] ?? ''];
  expect((await complete({ prompt: 'Hello', max_tokens: 40, stop })).choices[0]?.text).toBe(
    plain.slice(0, at),
  );
});

test.each([
  [{ prompt: [999_999] }, 'invalid_value', 'prompt[0]'],
  [{ prompt: [-1] }, 'invalid_value', 'prompt[0]'],
  [{ prompt: [] }, 'invalid_value', 'prompt'],
  [{ prompt: [72], echo: true }, 'unsupported_parameter', 'echo'],
  [{ prompt: 'x', best_of: 2 }, 'unsupported_parameter', 'best_of'],
  [{ prompt: 'x', grammar: 'root ::= item' }, 'invalid_value', 'grammar'],
  [{ prompt: 'x', promt: 'y' }, 'unsupported_parameter', 'promt'],
])('%j is refused', async (body, code, param) => {
  const reply = await post(body);
  expect([reply.status, reply.json()]).toMatchObject([400, { error: { code, param } }]);
});

test('what has no effect is named', async () => {
  const reply = await post({ prompt: 'x', best_of: 1, user: 'u', cache_prompt: true });
  expect([reply.status, reply.headers['x-askd-ignored']]).toEqual([200, 'best_of, user, cache_prompt']);
});
