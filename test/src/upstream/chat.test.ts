import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ChatEvent, ChatRequest } from '../../../src/runtime/engine.ts';
import { writeConnection } from '../../../src/upstream/connection.ts';
import { openUpstream } from '../../../src/upstream/session.ts';
import { collect } from '../../helpers/daemon/chat.ts';
import { scriptedServer, sendEvent, sendJson, type Answer } from '../../helpers/servers/scripted-server.ts';

const SAMPLING = { temperature: 1, topP: 1, presencePenalty: 0, frequencyPenalty: 0 };
const REQUEST: ChatRequest = {
  messages: [{ role: 'user', content: 'hello' }],
  maxTokens: 100,
  stop: [],
  sampling: SAMPLING,
};

/** The chat of a model that these servers run. */
function chatOf(urls: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'askd-upstream-'));
  const path = writeConnection(folder, { urls: urls.map((url) => `${url}/v1`), model: 'm' });
  const facts = { id: 'm', name: 'm', services: [], tier: 'imported', licence: 'unknown', bytes: 0 } as const;
  const manifest = { ...facts, engine: 'upstream', tasks: ['chat'], path, contextTokensMax: 8192 } as const;
  const session = openUpstream(manifest, { slots: 4 });
  onTestFinished(async () => session[Symbol.asyncDispose]());
  const ask = (request: Partial<ChatRequest> = {}, signal = new AbortController().signal) =>
    session.chat!({ ...REQUEST, ...request }, signal);
  return { ask, count: session.countTokens! };
}

/** A server that sends these pieces, then `[DONE]`. */
function sends(...pieces: Record<string, unknown>[]): Answer {
  return (_, response) => {
    for (const piece of pieces) sendEvent(response, piece);
    sendEvent(response, '[DONE]');
    response.end();
  };
}

function delta(content: Record<string, unknown>, rest: Record<string, unknown> = {}) {
  return { choices: [{ index: 0, delta: content, finish_reason: null, ...rest }] };
}

const STOP = delta({}, { finish_reason: 'stop' });

async function eventsOf(answer: Answer, request: Partial<ChatRequest> = {}): Promise<ChatEvent[]> {
  const { url } = await scriptedServer(answer);
  const events = await collect(chatOf([url]).ask(request));
  expect(events[0]).toMatchObject({ type: 'prompt' });
  return events.slice(1);
}

const tool = { name: 'weather', description: 'of a place', parameters: { type: 'object' } };
const call = { id: 'call_1', name: 'weather', arguments: '{"place":"Paris"}' };

const WHOLE_REQUEST: Partial<ChatRequest> = {
  messages: [
    { role: 'system', content: 'Be brief.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'image', data: 'AAAA', mime: 'image/png' },
      ],
    },
    { role: 'assistant', content: '', name: 'Bo', reasoning: 'Let me look.', toolCalls: [call] },
    { role: 'tool', toolCallId: 'call_1', content: 'sunny' },
  ],
  tools: [tool],
  toolChoice: { name: 'weather' },
  parallelToolCalls: false,
  format: { type: 'schema', schema: { type: 'object' } },
  reasoning: { effort: 'low' },
  choices: 2,
  logprobs: { top: 3 },
  logitBias: { 42: -100 },
  stop: ['END'],
  askedTokens: 7,
  sampling: { ...SAMPLING, seed: 5, topK: 7 },
};

const WHOLE_BODY = {
  model: 'm',
  messages: [
    { role: 'system', content: 'Be brief.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
      ],
    },
    {
      role: 'assistant',
      content: null,
      name: 'Bo',
      reasoning_content: 'Let me look.',
      tool_calls: [
        { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"place":"Paris"}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'call_1', content: 'sunny' },
  ],
  stream: true,
  stream_options: { include_usage: true },
  max_tokens: 7,
  stop: ['END'],
  temperature: 1,
  ...{ top_p: 1, top_k: 7 },
  presence_penalty: 0,
  frequency_penalty: 0,
  seed: 5,
  n: 2,
  logprobs: true,
  top_logprobs: 3,
  logit_bias: { 42: -100 },
  reasoning_effort: 'low',
  response_format: {
    type: 'json_schema',
    json_schema: { name: 'answer', strict: true, schema: { type: 'object' } },
  },
  tools: [{ type: 'function', function: tool }],
  tool_choice: { type: 'function', function: { name: 'weather' } },
  parallel_tool_calls: false,
};

describe('the request', () => {
  test('translates every part of a request into the standard format', async () => {
    const server = await scriptedServer(
      sends(STOP, STOP, { choices: [{ index: 1, delta: {}, finish_reason: 'stop' }] }),
    );
    await collect(chatOf([server.url]).ask(WHOLE_REQUEST));
    expect(server.seen[0]?.body).toEqual(WHOLE_BODY);
  });

  test.each([[{ showPrompt: true }], [{ reasoning: { effort: 'low', maxTokens: 5 } as const }]])(
    'refuses %j, which the standard format cannot express',
    async (request) => {
      const asked = collect(chatOf(['http://127.0.0.1:9']).ask(request));
      await expect(asked).rejects.toMatchObject({ code: 'unsupported_parameter' });
    },
  );

  test('is estimated with its tools, calls and images', async () => {
    const { count } = chatOf(['http://127.0.0.1:9']);
    const { signal } = new AbortController();
    const plain = await count(REQUEST, signal);
    const tools = [{ name: 'weather', parameters: { type: 'object', description: 'x'.repeat(300) } }];
    expect(await count({ ...REQUEST, tools }, signal)).toBeGreaterThan(plain + 100);
    const content = [{ type: 'image' as const, data: 'A'.repeat(100_000), mime: 'image/png' }];
    const seen = await count({ messages: [{ role: 'user', content }] }, signal);
    expect([seen > 1000, seen < 5000]).toEqual([true, true]);
  });
});

describe('the response', () => {
  test('has reasoning, text with its logprobs, and the usage that the server counted', async () => {
    const token = { token: 'Hi', logprob: -0.5, bytes: [72, 105] };
    const events = await eventsOf(
      sends(
        delta({ role: 'assistant', content: '' }),
        delta({ reasoning_content: 'They greet.' }),
        delta({ content: 'Hi' }, { logprobs: { content: [{ ...token, top_logprobs: [token] }] } }),
        STOP,
        {
          choices: [],
          usage: {
            prompt_tokens: 9,
            completion_tokens: 12,
            prompt_tokens_details: { cached_tokens: 4 },
            completion_tokens_details: { reasoning_tokens: 10 },
          },
        },
      ),
      { logprobs: { top: 1 } },
    );
    expect(events).toEqual([
      { type: 'reasoning', text: 'They greet.', completionTokens: 1 },
      { type: 'text', text: 'Hi', completionTokens: 2, logprobs: [{ ...token, top: [token] }] },
      {
        type: 'end',
        reason: 'stop',
        completionTokens: 12,
        reasoningTokens: 10,
        prompt: { promptTokens: 9, cachedTokens: 4 },
      },
    ]);
  });

  test('has tool calls piece by piece, each with its number', async () => {
    const piece = (index: number, id: string | undefined, called: Record<string, unknown>) =>
      delta({ tool_calls: [{ index, ...(id && { id, type: 'function' }), function: called }] });
    const events = await eventsOf(
      sends(
        piece(0, 'call_a', { name: 'weather', arguments: '' }),
        piece(0, undefined, { arguments: '{"place":' }),
        piece(0, undefined, { arguments: '"Paris"}' }),
        piece(1, 'call_b', { name: 'time', arguments: '{}' }),
        delta({}, { finish_reason: 'tool_calls' }),
      ),
    );
    expect(events).toMatchObject([
      { type: 'toolCall', index: 0, id: 'call_a', name: 'weather' },
      { type: 'toolArguments', index: 0, text: '{"place":' },
      { type: 'toolArguments', index: 0, text: '"Paris"}' },
      { type: 'toolCall', index: 1, id: 'call_b', name: 'time' },
      { type: 'toolArguments', index: 1, text: '{}' },
      { type: 'end', reason: 'tool_calls' },
    ]);
  });

  test('is understood even if a server numbers no calls and gives no ids', async () => {
    const call = (name: string) => ({ function: { name, arguments: '{}' } });
    const events = await eventsOf(
      sends(delta({ tool_calls: [call('one'), call('two')] }), delta({}, { finish_reason: 'tool_calls' })),
    );
    const calls = events.filter((event) => event.type === 'toolCall');
    expect(calls.map(({ index, name }) => [index, name])).toEqual([
      [0, 'one'],
      [1, 'two'],
    ]);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
    expect(calls.every(({ id }) => id.startsWith('call_'))).toBe(true);
  });

  test('has several choices, each with its own end', async () => {
    const of = (index: number, rest: Record<string, unknown>) => ({
      choices: [{ index, delta: {}, finish_reason: null, ...rest }],
    });
    const events = await eventsOf(
      sends(
        of(1, { delta: { content: 'b' } }),
        of(0, { delta: { content: 'a' } }),
        of(0, { finish_reason: 'stop' }),
        of(1, { finish_reason: 'length' }),
      ),
      { choices: 2 },
    );
    expect(events).toEqual([
      { type: 'text', text: 'b', completionTokens: 1, choice: 1 },
      { type: 'text', text: 'a', completionTokens: 2 },
      { type: 'end', reason: 'stop', completionTokens: 2 },
      { type: 'end', reason: 'length', completionTokens: 2, choice: 1 },
    ]);
  });

  test('ends at the limit even with a server that has none', async () => {
    const endless: Answer = (_, response) => {
      const timer = setInterval(() => sendEvent(response, delta({ content: 'on ' })), 1);
      response.on('close', () => clearInterval(timer));
    };
    const events = await eventsOf(endless, { maxTokens: 3 });
    expect(events.filter(({ type }) => type === 'text')).toHaveLength(3);
    expect(events.at(-1)).toEqual({ type: 'end', reason: 'length', completionTokens: 3 });
  });

  test('is a failure if a tool without a name is called', async () => {
    const nameless = sends(delta({ tool_calls: [{ index: 0, function: { arguments: '{}' } }] }), STOP);
    await expect(eventsOf(nameless)).rejects.toMatchObject({ code: 'upstream_failed' });
  });
});

describe('a server that fails before its first token', () => {
  const says = sends(delta({ content: 'fine' }), STOP);
  const failures: [string, Answer][] = [
    [
      'with an error event',
      (_, response) => (sendEvent(response, { error: { message: 'out of memory' } }), void response.end()),
    ],
    ['with an empty stream', (_, response) => void response.writeHead(200).end()],
    ['by hanging up', (_, response) => (response.writeHead(200).flushHeaders(), void response.destroy())],
    ['with a status', (_, response) => sendJson(response, 500, {})],
  ];

  test.each(failures)('%s is replaced by the next', async (_, fails) => {
    const [broken, good] = [await scriptedServer(fails), await scriptedServer(says)];
    const { ask } = chatOf([broken.url, good.url]);
    for (let turn = 0; turn < 4; turn++) {
      const events = await collect(ask());
      expect(events.filter(({ type }) => type === 'text')).toMatchObject([{ text: 'fine' }]);
    }
    expect([broken.seen.length > 0, broken.seen.length < 4, good.seen.length]).toEqual([true, true, 4]);
  });

  test('is not replaced after its first word: no client gets the beginning twice', async () => {
    const breaks: Answer = (_, response) => {
      sendEvent(response, delta({ content: 'Once' }));
      setImmediate(() => response.destroy());
    };
    const servers = [await scriptedServer(breaks), await scriptedServer(breaks)];
    const events: ChatEvent[] = [];
    const listen = async () => {
      for await (const event of chatOf(servers.map(({ url }) => url)).ask()) events.push(event);
    };
    await expect(listen()).rejects.toMatchObject({ code: 'upstream_failed' });
    expect(events.filter(({ type }) => type === 'text')).toHaveLength(1);
    expect(servers[0]!.seen.length + servers[1]!.seen.length).toBe(1);
  });
});
