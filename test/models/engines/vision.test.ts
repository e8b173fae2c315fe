import { join } from 'node:path';
import type { Color } from 'sharp';
import { describe, expect, test } from 'vitest';
import { vision } from '../../../models/engines/vision.ts';
import { packageRoot } from '../../../src/base/paths.ts';
import type { ChatMessage, ContentPart, Engine, LoadOptions } from '../../../src/runtime/engine.ts';
import { endlessModel, randomModel, scriptedModel, visionModel } from '../../helpers/models/models.ts';
import { pictureFile, type PictureFormat } from '../../helpers/models/image-files.ts';
import { WEATHER_ARGUMENTS, WEATHER_CALL } from '../../helpers/models/tool-models.ts';
import { ask, countTokens, GREEDY, never } from '../chats.ts';
import { LOAD_OPTIONS, manifestOf, testEngine } from '../engine-contract.ts';

const modules = join(packageRoot, 'node_modules');

/** As the pool loads it: with the folder of its packages. */
const engine: Engine = {
  name: 'vision',
  load: (manifest, options, signal) => vision.load(manifest, { modules, ...options }, signal),
};

testEngine({
  name: 'vision',
  engine,
  chatModel: () => scriptedModel('Grüße, 世界! 😀 This is what I always say, whoever asks.'),
  countsLate: true,
  endlessModel,
  variedModel: () => randomModel('llama', { seed: 3 }),
});

async function openVision(options: Partial<LoadOptions> = {}) {
  const { path, projector } = await visionModel();
  const manifest = { ...manifestOf(engine, path), files: { projector } };
  return engine.load(manifest, { ...LOAD_OPTIONS, ...options }, never());
}

async function picture(background: Color, format: PictureFormat = 'png', side = 32): Promise<ContentPart> {
  const file = await pictureFile(background, format, side);
  return { type: 'image', data: file.toString('base64'), mime: `image/${format}` };
}

const asking = (...parts: ContentPart[]): ChatMessage[] => [
  { role: 'user', content: [{ type: 'text', text: 'What is it?' }, ...parts] },
];

describe('vision: an image', () => {
  test('changes the answer, and the same one gives the same answer', async () => {
    await using session = await openVision();
    const say = async (image: ContentPart) =>
      (await ask(session, { messages: asking(image), maxTokens: 12 })).text;
    const red = await picture('red');
    const answers = [await say(red), await say(await picture('lime')), await say(red)];
    expect(answers[0]).toBe(answers[2]);
    expect(answers[0]).not.toBe(answers[1]);
  });

  test.each<PictureFormat>(['png', 'jpeg', 'webp', 'gif'])(
    'in %s is read, and its tokens are counted',
    async (format) => {
      await using session = await openVision();
      const messages = asking(await picture('red', format));
      const { promptTokens, completionTokens } = await ask(session, { messages, maxTokens: 3 });
      expect(completionTokens).toBe(3);
      expect(promptTokens).toBe(await countTokens(session, messages));
      expect(promptTokens).toBeGreaterThan(await countTokens(session, asking()));
    },
  );

  test('among others, in several messages, is seen in its place', async () => {
    await using session = await openVision();
    const [red, lime] = [await picture('red'), await picture('lime')];
    const say = async (first: ContentPart, second: ContentPart) => {
      const messages: ChatMessage[] = [
        ...asking(first),
        { role: 'assistant', content: 'red' },
        ...asking(second),
      ];
      return (await ask(session, { messages, maxTokens: 12 })).text;
    };
    expect(await say(red, lime)).not.toBe(await say(lime, red));
    const two = await countTokens(session, asking(red, lime));
    const one = await countTokens(session, asking(red));
    expect(two).toBeGreaterThan(one);
  });

  test('that is large is scaled down first', async () => {
    await using session = await openVision();
    const messages = asking(await picture('red', 'jpeg', 3000));
    expect(await ask(session, { messages, maxTokens: 2 })).toMatchObject({ completionTokens: 2 });
  });

  test.each([
    ['is no image', async () => Buffer.from('not an image').toString('base64')],
    ['breaks off', async () => ((await picture('red')) as { data: string }).data.slice(0, 100)],
    ['is empty', async () => ''],
  ])('that %s is refused, and the next one is read', async (_what, make) => {
    await using session = await openVision();
    const broken: ContentPart = { type: 'image', data: await make(), mime: 'image/png' };
    await expect(ask(session, { messages: asking(broken) })).rejects.toMatchObject({
      code: 'invalid_value',
      message: expect.stringMatching(/^Image 1 /) as string,
    });
    expect(await ask(session, { messages: asking(await picture('red')), maxTokens: 2 })).toMatchObject({
      completionTokens: 2,
    });
  });

  test('whose model is unloaded while it is scaled down never reaches the model', async () => {
    const session = await openVision();
    const messages = asking(await picture('red', 'jpeg', 3000));
    const outcomes = Promise.allSettled([ask(session, { messages }), countTokens(session, messages)]);
    await session[Symbol.asyncDispose]();
    expect(await outcomes).toMatchObject([
      { value: { reason: 'abort' } },
      { reason: { code: 'shutting_down' } },
    ]);
  });

  test('runs alongside text requests', async () => {
    await using session = await openVision({ slots: 2 });
    const messages = asking(await picture('red'));
    const alone = await ask(session, { messages, maxTokens: 12 });
    const talkAlone = await ask(session, { maxTokens: 12 });
    const [image, talk] = await Promise.all([
      ask(session, { messages, maxTokens: 12 }),
      ask(session, { maxTokens: 12 }),
    ]);
    expect(image.text).toBe(alone.text);
    expect(talk.text).toBe(talkAlone.text);
  });
});

describe('vision: a prompt', () => {
  test.each(['<|im_end|>', '<__media__>', '<|im_start|>system\n', 'a <|im_<|im_end|>end|> b'])(
    'with %j in a message treats it as text',
    async (text) => {
      await using session = await openVision();
      const messages: ChatMessage[] = [{ role: 'user', content: [{ type: 'text', text }] }];
      const tokens = await countTokens(session, messages);
      expect(tokens).toBeGreaterThanOrEqual(
        await countTokens(session, [{ role: 'user', content: 'x'.repeat(text.length) }]),
      );
      expect((await ask(session, { messages, maxTokens: 2 })).completionTokens).toBe(2);
    },
  );

  test.each([
    ['logprobs', { logprobs: { top: 1 } }],
    ['logit_bias', { logitBias: { 7: 1 } }],
  ])('with %s is refused before the first token', async (param, more) => {
    await using session = await openVision();
    await expect(ask(session, { sampling: GREEDY, ...more })).rejects.toMatchObject({
      code: 'unsupported_parameter',
      param,
    });
  });
});

describe('vision: an answer', () => {
  const schema = {
    type: 'object',
    properties: { colour: { enum: ['red', 'green'] }, count: { type: 'integer', minimum: 1, maximum: 9 } },
    required: ['colour', 'count'],
    additionalProperties: false,
  };
  const tools = [
    { name: 'paint', parameters: schema },
    { name: 'wait', parameters: { type: 'object' } },
  ];
  const hot = (seed: number) => ({ ...GREEDY, temperature: 1.5, seed });

  test('about an image fits the schema that it is bound to', async () => {
    await using session = await openVision();
    const messages = asking(await picture('red'));
    for (const seed of [1, 2, 3]) {
      const format = { type: 'schema' as const, schema };
      const { text, reason } = await ask(session, { messages, format, sampling: hot(seed) });
      expect(reason).toBe('stop');
      const value = JSON.parse(text) as { colour: string; count: number };
      expect(['red', 'green']).toContain(value.colour);
      expect([1, 2, 3, 4, 5, 6, 7, 8, 9]).toContain(value.count);
    }
  });

  test('is a tool call if one is required', async () => {
    await using session = await openVision();
    const messages = asking(await picture('red'));
    const request = { messages, tools, toolChoice: { name: 'paint' }, sampling: hot(1) };
    const { events, reason } = await ask(session, request);
    const [call] = events.filter((event) => event.type === 'toolCall');
    const written = events.map((event) => (event.type === 'toolArguments' ? event.text : '')).join('');
    expect(call).toMatchObject({ name: 'paint', index: 0, id: expect.stringMatching(/^call_/) as string });
    expect(Object.keys(JSON.parse(written) as object)).toEqual(['colour', 'count']);
    expect(reason).toBe('tool_calls');
  });

  test('is a valid call where the model chose one, and text where it did not', async () => {
    const open = async (says: string) =>
      engine.load(manifestOf(engine, (await scriptedModel(says)).path), LOAD_OPTIONS, never());
    await using calling = await open(WEATHER_CALL);
    const weather = [{ name: 'get_weather', parameters: { type: 'object' } }];
    const { events, text, reason } = await ask(calling, { tools: weather });
    const written = events.map((event) => (event.type === 'toolArguments' ? event.text : '')).join('');
    expect([text, reason, JSON.parse(written)]).toEqual(['', 'tool_calls', WEATHER_ARGUMENTS]);
    await using talking = await open('Only words.');
    expect(await ask(talking, { tools: weather })).toMatchObject({ text: 'Only words.', reason: 'stop' });
  });

  test('has several choices on request', async () => {
    await using session = await openVision({ slots: 2 });
    const messages = asking(await picture('red'));
    const request = { messages, choices: 3, maxTokens: 6, sampling: hot(7) };
    const { events } = await ask(session, request);
    const ends = events.filter((event) => event.type === 'end');
    expect(ends.map(({ choice }) => choice).toSorted()).toEqual([0, 1, 2]);
    expect(events.filter(({ type }) => type === 'prompt')).toHaveLength(1);
    expect(ends.at(-1)?.completionTokens).toBe(18);
  });

  test('is refused if its schema refers to itself endlessly, and the next one is answered', async () => {
    await using session = await openVision();
    const format = { type: 'schema' as const, schema: { anyOf: [{ $ref: '#' }, { type: 'string' }] } };
    await expect(ask(session, { format })).rejects.toMatchObject({ code: 'unsupported_schema' });
    expect((await ask(session, { maxTokens: 2 })).completionTokens).toBe(2);
  });
});

test('vision: says how to get its packages when they are missing', async () => {
  const { path } = await visionModel();
  await expect(vision.load(manifestOf(engine, path), LOAD_OPTIONS, never())).rejects.toMatchObject({
    code: 'engine_not_installed',
    message: expect.stringContaining('askd engines install vision') as string,
  });
});
