import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hello, openDaemonWith, type ChatDaemon } from '../../../helpers/daemon/chat.ts';
import { randomModel, scriptedModel } from '../../../helpers/models/models.ts';
import { THINKING_TEMPLATE, TOOL_TEMPLATES } from '../../../helpers/models/tool-models.ts';

type Choice = {
  finish_reason: string;
  message: { content: string | null; reasoning_content?: string; tool_calls?: object[] };
};
type Body = { choices: Choice[]; debug?: { prompt: string } };

const PATCH = 'say "hi"\nand go';
const CALL = `<tool_call>\n{"name": "apply_patch", "arguments": ${JSON.stringify({ input: PATCH })}}\n</tool_call>`;

let daemon: ChatDaemon;

beforeAll(async () => {
  daemon = await openDaemonWith({
    m: await scriptedModel('Any answer.'),
    random: await randomModel('qwen2', { seed: 1 }),
    patches: await scriptedModel(CALL, { chatTemplate: TOOL_TEMPLATES.hermes }),
    thinks: await scriptedModel('How kind.\n</think>\n\nHello.', { chatTemplate: THINKING_TEMPLATE }),
  });
});
afterAll(() => daemon.close());

const answer = async (body: Record<string, unknown>) => {
  const reply = await daemon.chat(body);
  expect([reply.status, reply.status === 200 ? '' : reply.text]).toEqual([200, '']);
  return reply.json<Body>().choices[0]?.message.content;
};
const refusal = async (body: Record<string, unknown>) => {
  const reply = await daemon.chat(body);
  return [reply.status, reply.json<{ error: object }>().error];
};
const random = { model: 'random', max_tokens: 12, seed: 7 };

describe('samplers beyond the convention', () => {
  test.each([{ min_p: 1 }, { top_k: 1 }, { typical_p: 0.001, top_k: 1 }, { top_p: 0 }])(
    'with %j the likeliest token is drawn, however hot it is',
    async (sampler) => {
      const likeliest = await answer({ ...random, temperature: 0 });
      expect(await answer({ ...random, temperature: 2, ...sampler })).toBe(likeliest);
    },
  );

  test.each([0, -1])('top_k %i lets every token be drawn', async (top_k) => {
    const drawn = await Promise.all(
      [1, 2, 3, 4].map((seed) => answer({ ...random, seed, temperature: 2, top_k })),
    );
    expect(new Set(drawn).size).toBeGreaterThan(1);
  });

  test.each(['repeat_penalty', 'repetition_penalty'])('%s changes what is repeated', async (name) => {
    const plain = { ...random, temperature: 0, max_tokens: 40 };
    expect(await answer({ ...plain, [name]: 1 })).toBe(await answer(plain));
    expect(await answer({ ...plain, [name]: 5 })).not.toBe(await answer(plain));
    expect(await answer({ ...plain, [name]: 5, repeat_last_n: 0 })).toBe(await answer(plain));
  });

  test('typical_p cannot be combined with a grammar', async () => {
    expect(await refusal({ typical_p: 0.5, grammar: 'root ::= "a"' })).toMatchObject([
      400,
      { code: 'unsupported_parameter', param: 'typical_p' },
    ]);
  });

  test.each([
    [{ mirostat: 2 }, 'mirostat', 'min_p'],
    [{ dry_multiplier: 0.8 }, 'dry_multiplier', 'repeat_penalty'],
    [{ best_of: 3 }, 'best_of', '"n"|with n'],
    [{ functions: [{ name: 'f' }] }, 'functions', 'tools'],
  ])('an unknown sampler is refused with the known ones: %j', async (body, param, instead) => {
    expect(await refusal(body)).toMatchObject([
      400,
      { code: 'unsupported_parameter', param, message: expect.stringMatching(instead) },
    ]);
  });

  test.each([
    { mirostat: 0 },
    { dry_multiplier: 0 },
    { cache_prompt: true, id_slot: -1 },
    { keep_alive: '5m' },
  ])('what is off, or changes nothing, is accepted and named: %j', async (body) => {
    const reply = await daemon.chat(body);
    expect([reply.status, reply.headers['x-askd-ignored']]).toEqual([200, Object.keys(body).join(', ')]);
  });
});

describe('response formats beyond the convention', () => {
  const schema = {
    type: 'object',
    properties: { ok: { const: true } },
    required: ['ok'],
    additionalProperties: false,
  };

  test.each([
    { grammar: 'root ::= "maybe" | "never"' },
    { guided_grammar: 'root ::= "maybe" | "never"' },
    { structured_outputs: { choice: ['maybe', 'never'] } },
    { guided_choice: ['maybe', 'never'] },
  ])('%j', async (format) => {
    expect(await answer({ ...random, ...format })).toMatch(/^(maybe|never)$/);
  });

  test.each([
    { json_schema: schema },
    { guided_json: JSON.stringify(schema) },
    { structured_outputs: { json: schema } },
  ])('%j', async (format) => {
    expect(JSON.parse((await answer({ ...random, max_tokens: 60, ...format })) ?? '')).toEqual({ ok: true });
  });

  test('choices are kept verbatim, quotes and line breaks included', async () => {
    expect(await answer({ ...random, max_tokens: 60, guided_choice: ['a "b"\\\nc'] })).toBe('a "b"\\\nc');
  });

  test.each([
    [{ grammar: 'root ::= root "a"' }, 'grammar', 'is left-recursive'],
    [{ grammar: 'root ::= item' }, 'grammar', 'there is no rule "item"'],
    [{ guided_json: '{' }, 'guided_json', 'not valid JSON'],
    [{ grammar: 'root ::= "a"', guided_choice: ['b'] }, 'guided_choice', 'not both'],
  ])('what cannot be enforced is refused: %j', async (body, param, message) => {
    expect(await refusal({ ...random, ...body })).toMatchObject([
      400,
      { code: 'invalid_value', param, message: expect.stringContaining(message) },
    ]);
  });
});

describe('an assistant message at the end', () => {
  const begun = [...hello, { role: 'assistant', content: 'Once upon a' }];
  const promptOf = async (body: Record<string, unknown>) => {
    const reply = await daemon.call('POST', '/v1/chat/completions', {
      token: daemon.services.rootToken.current(),
      headers: { 'x-askd-debug': 'prompt' },
      body: { model: 'm', messages: begun, ...body },
    });
    return reply.json<Body>().debug?.prompt ?? '';
  };

  test('is the beginning of the answer', async () => {
    expect(await promptOf({})).toMatch(/Once upon a$/);
    expect(await promptOf({ continue_final_message: true, add_generation_prompt: false })).toMatch(
      /Once upon a$/,
    );
  });

  test('is finished if the client says so', async () => {
    expect(await promptOf({ add_generation_prompt: true })).toMatch(/Once upon a.+$/s);
    expect(await promptOf({ continue_final_message: false })).toMatch(/Once upon a.+$/s);
  });

  test('must exist to be continued', async () => {
    expect(await refusal({ continue_final_message: true })).toMatchObject([
      400,
      { param: 'continue_final_message' },
    ]);
  });
});

describe('reasoning by the names of other servers', () => {
  test.each([
    { reasoning: { enabled: true } },
    { reasoning: { max_tokens: 500 } },
    { enable_thinking: true },
    { reasoning_effort: 'max' },
  ])('%j enables reasoning', async (body) => {
    const reply = await daemon.chat({ model: 'thinks', ...body });
    expect(reply.json<Body>().choices[0]?.message.reasoning_content).toBe('How kind.');
  });

  test.each([
    { reasoning: { exclude: true, effort: 'low' } },
    { include_reasoning: false, reasoning_effort: 'low' },
  ])('%j hides it, whole and in a stream', async (body) => {
    const { message } = (await daemon.chat({ model: 'thinks', ...body })).json<Body>().choices[0] ?? {};
    expect([message?.content, message]).toEqual([
      'Hello.',
      expect.not.objectContaining({ reasoning_content: 'How kind.' }),
    ]);
    const { text } = await daemon.chat({ model: 'thinks', stream: true, ...body });
    expect(text).not.toContain('kind');
  });

  test.each(['reasoning', 'reasoning_content'])('comes back as %s', async (name) => {
    const messages = [...hello, { role: 'assistant', content: 'Yes.', [name]: 'Because.' }, ...hello];
    expect(await answer({ messages })).toBe('Any answer.');
  });
});

describe('a custom tool', () => {
  const tools = [{ type: 'custom', custom: { name: 'apply_patch', description: 'Changes files.' } }];

  test('is called with free text, whole and as a stream, and its result is taken', async () => {
    const [choice] = (await daemon.chat({ model: 'patches', tools })).json<Body>().choices;
    const call = { type: 'custom', custom: { name: 'apply_patch', input: PATCH } };
    expect(choice).toMatchObject({
      finish_reason: 'tool_calls',
      message: { content: null, tool_calls: [call] },
    });
    const { text } = await daemon.chat({ model: 'patches', tools, stream: true });
    expect(text).toContain(`"custom":{"input":${JSON.stringify(PATCH)}}`);
    const [made] = choice?.message.tool_calls as { id: string }[];
    const messages = [
      ...hello,
      { role: 'assistant', tool_calls: [made] },
      { role: 'tool', tool_call_id: made?.id, content: 'ok' },
    ];
    expect((await daemon.chat({ model: 'patches', tools, messages })).status).toBe(200);
  });

  test('may be required', async () => {
    const tool_choice = { type: 'custom', custom: { name: 'apply_patch' } };
    const [choice] = (await daemon.chat({ model: 'patches', tools, tool_choice })).json<Body>().choices;
    expect(choice?.message.tool_calls).toMatchObject([{ custom: { input: PATCH } }]);
    const unknown = { type: 'custom', custom: { name: 'x' } };
    expect(await refusal({ tools, tool_choice: unknown })).toMatchObject([
      400,
      { param: 'tool_choice.custom.name' },
    ]);
  });

  test('of another type is left out and named', async () => {
    const reply = await daemon.chat({ tools: [{ type: 'web_search' }] });
    expect([reply.status, reply.headers['x-askd-ignored']]).toEqual([200, 'tools[web_search]']);
  });
});

test('a text file in a message is read', async () => {
  const file = {
    filename: 'notes.txt',
    file_data: `data:text/plain;base64,${Buffer.from('4711').toString('base64')}`,
  };
  const messages = [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What?' },
        { type: 'file', file },
      ],
    },
  ];
  const reply = await daemon.call('POST', '/v1/chat/completions', {
    token: daemon.services.rootToken.current(),
    headers: { 'x-askd-debug': 'prompt' },
    body: { model: 'm', messages },
  });
  expect(reply.json<Body>().debug?.prompt).toContain('notes.txt:\n4711');
});

test('an answer has its speed and its model, whole and at the end of a stream', async () => {
  type Timed = Body & {
    system_fingerprint: string;
    timings: Record<string, number>;
    usage: { completion_tokens: number };
  };
  const whole = (await daemon.chat({ ...random, max_tokens: 30 })).json<Timed>();
  expect(whole.system_fingerprint).toMatch(/^fp_[0-9a-f]{12}$/);
  expect(whole.timings).toMatchObject({
    predicted_n: whole.usage.completion_tokens,
    cache_n: expect.any(Number),
  });
  expect(whole.timings['predicted_per_second']).toBeGreaterThan(0);
  const { text } = await daemon.chat({ ...random, stream: true });
  const chunks = [...text.matchAll(/^data: (\{.*)$/gm)].map(([, json = '']) => JSON.parse(json) as Timed);
  expect(chunks.filter(({ timings }) => timings)).toHaveLength(1);
  expect(chunks.at(-1)?.timings['predicted_n']).toBeGreaterThan(0);
  expect(new Set(chunks.map((chunk) => chunk.system_fingerprint))).toEqual(
    new Set([whole.system_fingerprint]),
  );
});
