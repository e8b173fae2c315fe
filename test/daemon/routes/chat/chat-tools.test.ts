import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { HumanMessage, ToolMessage } from '@langchain/core/messages';
import { tool as langchainTool } from '@langchain/core/tools';
import { ChatOpenAI } from '@langchain/openai';
import { generateObject, generateText, jsonSchema, stepCountIs, streamText, tool as aiTool } from 'ai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { collect, hello, openDaemonWith, type ChatDaemon } from '../../../helpers/daemon/chat.ts';
import { scriptedModel } from '../../../helpers/models/models.ts';
import {
  TOOL_TEMPLATES,
  WEATHER_ANSWER,
  WEATHER_ARGUMENTS,
  WEATHER_CALL,
  weatherModel,
} from '../../../helpers/models/tool-models.ts';

const PARAMETERS = {
  type: 'object' as const,
  properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 1, maximum: 7 } },
  required: ['city', 'days'],
  additionalProperties: false,
};
const WEATHER = { type: 'function' as const, function: { name: 'get_weather', parameters: PARAMETERS } };
const TIME = { type: 'function' as const, function: { name: 'get_time', parameters: { type: 'object' } } };
const PERSON = {
  type: 'object',
  properties: { name: { type: 'string' }, age: { type: 'integer' } },
  required: ['name', 'age'],
  additionalProperties: false,
};
const PERSON_TEXT = '{"name": "Ada Lovelace", "age": 36}';
const TWO_CALLS = `${WEATHER_CALL}\n${WEATHER_CALL.replace('Zürich', 'Wien')}`;
const ASK = [{ role: 'user' as const, content: 'What is the weather in Zürich?' }];

let daemon: ChatDaemon;

beforeAll(async () => {
  const list =
    '[TOOL_CALLS] [{"name": "get_weather", "arguments": {"city": "Rom", "days": 1}, "id": "abcdefgh9"}]';
  daemon = await openDaemonWith({
    weather: await weatherModel(),
    talks: await weatherModel({ says: `Let me look.\n${WEATHER_CALL}` }),
    twice: await weatherModel({ says: TWO_CALLS }),
    json: await scriptedModel('{"name": "get_weather", "parameters": {"city": "Rom", "days": 1}}', {
      chatTemplate: TOOL_TEMPLATES.json,
    }),
    list: await scriptedModel(list, { chatTemplate: TOOL_TEMPLATES.list }),
    bare: await scriptedModel('[TOOL_CALLS]get_weather{"city": "Rom", "days": 1}', {
      chatTemplate: TOOL_TEMPLATES.bare,
    }),
    tagged: await scriptedModel(
      '<tool_call>\n<function=get_weather>\n<parameter=city>\nRom\n</parameter>\n<parameter=days>\n1\n</parameter>\n</function>\n</tool_call>',
      { chatTemplate: TOOL_TEMPLATES.tagged },
    ),
    generic: await scriptedModel(WEATHER_CALL),
    person: await scriptedModel(PERSON_TEXT),
    words: await scriptedModel('Nothing but words here.', { chatTemplate: TOOL_TEMPLATES.hermes }),
  });
});
afterAll(() => daemon.close());

describe('through the official SDK', () => {
  test('a call comes whole, and its result goes back for the answer', async () => {
    const { sdk } = daemon;
    const first = await sdk.chat.completions.create({
      model: 'weather',
      messages: ASK,
      tools: [WEATHER, TIME],
    });
    const [choice] = first.choices;
    expect(choice).toMatchObject({
      finish_reason: 'tool_calls',
      message: { content: null, tool_calls: [{ type: 'function', function: { name: 'get_weather' } }] },
    });
    const message = choice?.message as NonNullable<typeof choice>['message'];
    const [call] = message.tool_calls ?? [];
    if (call?.type !== 'function') throw new Error('No function was called');
    expect(JSON.parse(call.function.arguments)).toEqual(WEATHER_ARGUMENTS);
    const result = { role: 'tool' as const, tool_call_id: call.id, content: 'sunny' };
    const second = await sdk.chat.completions.create({
      model: 'weather',
      messages: [...ASK, message, result],
      tools: [WEATHER, TIME],
    });
    expect(second.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: WEATHER_ANSWER } });
  });

  test('streamed calls are numbered, begin with id and name, and continue with arguments only', async () => {
    const { sdk } = daemon;
    const body = { model: 'twice', messages: ASK, tools: [WEATHER], stream: true as const };
    const chunks = await collect(await sdk.chat.completions.create(body));
    const deltas = chunks.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? []);
    const starts = deltas.filter(({ id }) => id !== undefined);
    expect(starts).toMatchObject([
      { index: 0, type: 'function', function: { name: 'get_weather', arguments: '' } },
      { index: 1, type: 'function', function: { name: 'get_weather', arguments: '' } },
    ]);
    expect(new Set(starts.map(({ id }) => id)).size).toBe(2);
    const rest = deltas.filter(({ id }) => id === undefined);
    expect(rest.every(({ function: called }) => called?.name === undefined && called?.arguments)).toBe(true);
    const deltasOf = (index: number) =>
      JSON.parse(
        deltas
          .filter((one) => one.index === index)
          .map((one) => one.function?.arguments ?? '')
          .join(''),
      ) as unknown;
    expect([deltasOf(0), deltasOf(1)]).toEqual([WEATHER_ARGUMENTS, { ...WEATHER_ARGUMENTS, city: 'Wien' }]);
    expect(chunks.at(-1)?.choices[0]).toMatchObject({ delta: {}, finish_reason: 'tool_calls' });
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe('');
  });

  test('text before a call comes as content', async () => {
    const { sdk } = daemon;
    const { choices } = await sdk.chat.completions.create({
      model: 'talks',
      messages: ASK,
      tools: [WEATHER],
    });
    expect(choices[0]?.message.content?.trim()).toBe('Let me look.');
    expect(choices[0]?.message.tool_calls).toHaveLength(1);
  });

  test('parallel_tool_calls: false leaves one call', async () => {
    const { sdk } = daemon;
    const body = { model: 'twice', messages: ASK, tools: [WEATHER], parallel_tool_calls: false };
    const { choices } = await sdk.chat.completions.create(body);
    expect(choices[0]?.message.tool_calls).toHaveLength(1);
    expect(choices[0]?.finish_reason).toBe('tool_calls');
  });

  test.each(['json', 'list', 'bare', 'tagged', 'generic'])(
    'a model that writes calls in the format "%s" is understood',
    async (model) => {
      const { sdk } = daemon;
      const { choices } = await sdk.chat.completions.create({ model, messages: ASK, tools: [WEATHER] });
      expect(choices[0]).toMatchObject({
        finish_reason: 'tool_calls',
        message: { tool_calls: [{ function: { name: 'get_weather' } }] },
      });
    },
  );

  test.each([
    ['none', undefined],
    ['auto', undefined],
    ['required', 1],
    [{ type: 'function' as const, function: { name: 'get_time' } }, 1],
  ])('with the choice %j a model that prefers text makes %j calls', async (choice, calls) => {
    const { sdk } = daemon;
    const { choices } = await sdk.chat.completions.create({
      model: 'words',
      messages: ASK,
      tools: [TIME, WEATHER],
      tool_choice: choice as 'none',
      parallel_tool_calls: false,
      max_tokens: 2000,
      // A byte is a token of its own number here: texts that nobody scripted come to their end.
      logit_bias: { 34: 20, 125: 10 },
    });
    expect(choices[0]?.message.tool_calls?.length).toBe(calls);
    if (calls === undefined) expect(choices[0]?.message.content).toBe('Nothing but words here.');
    if (typeof choice === 'object') {
      expect(choices[0]?.message.tool_calls).toMatchObject([{ function: { name: 'get_time' } }]);
    }
  });

  test('tools that are not called leave the text as it is', async () => {
    const { sdk } = daemon;
    for (const more of [{ tools: [] }, { tools: [WEATHER] }, {}]) {
      const { choices } = await sdk.chat.completions.create({ model: 'words', messages: ASK, ...more });
      expect(choices[0]).toMatchObject({
        finish_reason: 'stop',
        message: { content: 'Nothing but words here.' },
      });
      expect(choices[0]?.message).not.toHaveProperty('tool_calls');
    }
  });

  test('logprobs of a possible call are refused, since its arguments could not be constrained', async () => {
    const { sdk } = daemon;
    const body = { model: 'weather', messages: ASK, tools: [WEATHER], logprobs: true };
    await expect(sdk.chat.completions.create(body)).rejects.toMatchObject({ status: 400, param: 'logprobs' });
    const answer = await sdk.chat.completions.create({ ...body, tool_choice: 'none' });
    expect(answer.choices[0]?.logprobs?.content?.length).toBeGreaterThan(0);
  });

  test('an answer follows a schema, whole and streamed', async () => {
    const { sdk } = daemon;
    const response_format = {
      type: 'json_schema' as const,
      json_schema: { name: 'person', schema: PERSON, strict: true },
    };
    const whole = await sdk.chat.completions.parse({ model: 'person', messages: hello, response_format });
    expect(whole.choices[0]?.message.parsed).toEqual({ name: 'Ada Lovelace', age: 36 });
    const stream = await sdk.chat.completions.create({
      model: 'person',
      messages: hello,
      response_format,
      stream: true,
    });
    const text = (await collect(stream)).map(({ choices }) => choices[0]?.delta.content ?? '').join('');
    expect(JSON.parse(text)).toEqual({ name: 'Ada Lovelace', age: 36 });
  });

  test('json_object turns an answer that would be text into an object', async () => {
    const { sdk } = daemon;
    const { choices } = await sdk.chat.completions.create({
      model: 'words',
      messages: hello,
      response_format: { type: 'json_object' },
      logit_bias: { 34: 20, 125: 30 },
      max_tokens: 500,
    });
    expect(choices[0]?.finish_reason).toBe('stop');
    expect(JSON.parse(choices[0]?.message.content ?? '')).toBeTypeOf('object');
  });
});

describe('through the Vercel AI SDK', () => {
  const provider = () =>
    createOpenAICompatible({
      name: 'askd',
      baseURL: daemon.baseURL,
      apiKey: daemon.key,
      supportsStructuredOutputs: true,
      includeUsage: true,
    });

  test('a stream', async () => {
    const { textStream } = streamText({ model: provider()('words'), prompt: 'Hello' });
    expect((await collect(textStream)).join('')).toBe('Nothing but words here.');
  });

  test('a round trip through a tool', async () => {
    const asked: unknown[] = [];
    const getWeather = aiTool({
      description: 'Tells the weather',
      inputSchema: jsonSchema<typeof WEATHER_ARGUMENTS>(PARAMETERS as object),
      execute: (input) => {
        asked.push(input);
        return 'sunny';
      },
    });
    const { text, steps } = await generateText({
      model: provider()('weather'),
      prompt: 'What is the weather in Zürich?',
      tools: { get_weather: getWeather },
      stopWhen: stepCountIs(3),
    });
    expect([asked, text, steps.length]).toEqual([[WEATHER_ARGUMENTS], WEATHER_ANSWER, 2]);
  });

  test('an object of a schema', async () => {
    const { object } = await generateObject({
      model: provider()('person'),
      schema: jsonSchema(PERSON as object),
      prompt: 'Who?',
    });
    expect(object).toEqual({ name: 'Ada Lovelace', age: 36 });
  });
});

describe('through LangChain', () => {
  const open = (model: string) =>
    new ChatOpenAI({ model, apiKey: daemon.key, configuration: { baseURL: daemon.baseURL }, maxRetries: 0 });

  test('a stream', async () => {
    const chunks = await collect(await open('words').stream('Hello'));
    expect(chunks.map(({ text }) => text).join('')).toBe('Nothing but words here.');
  });

  test('a round trip through a tool', async () => {
    const getWeather = langchainTool(() => 'sunny', {
      name: 'get_weather',
      description: 'Tells the weather',
      schema: PARAMETERS,
    });
    const model = open('weather').bindTools([getWeather]);
    const question = new HumanMessage('What is the weather in Zürich?');
    const first = await model.invoke([question]);
    expect(first.tool_calls).toMatchObject([{ name: 'get_weather', args: WEATHER_ARGUMENTS }]);
    const result = new ToolMessage({ content: 'sunny', tool_call_id: first.tool_calls?.[0]?.id ?? '' });
    expect((await model.invoke([question, first, result])).text).toBe(WEATHER_ANSWER);
  });

  test('an answer of a schema', async () => {
    const model = open('person').withStructuredOutput(
      { title: 'person', ...PERSON },
      { method: 'jsonSchema' },
    );
    expect(await model.invoke('Who?')).toEqual({ name: 'Ada Lovelace', age: 36 });
  });
});
