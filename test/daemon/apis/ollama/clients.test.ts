import { Ollama, type Message } from 'ollama';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { busy, collect, eventually, openDaemonWith, type ChatDaemon } from '../../../helpers/daemon/chat.ts';
import { pictureFile } from '../../../helpers/models/image-files.ts';
import { endlessModel, randomModel, scriptedModel, visionModel } from '../../../helpers/models/models.ts';
import { similarity, wordEmbedder } from '../../../helpers/models/text-models.ts';
import {
  THINKING_TEMPLATE,
  WEATHER_ANSWER,
  WEATHER_ARGUMENTS,
  weatherModel,
} from '../../../helpers/models/tool-models.ts';

const THOUGHT = 'The user greets me, so I greet back.';
const ANSWER = 'Good morning to you!';
const messages = [{ role: 'user', content: 'hello' }];
const MOOD = {
  type: 'object',
  properties: { mood: { enum: ['good'] } },
  required: ['mood'],
  additionalProperties: false,
};

/** Several models are loaded, each for the first time. */
vi.setConfig({ testTimeout: 90_000 });

let daemon: ChatDaemon;
let client: Ollama;

beforeAll(async () => {
  daemon = await openDaemonWith(
    {
      m: await scriptedModel(ANSWER),
      thinks: await scriptedModel(`${THOUGHT}\n</think>\n\n${ANSWER}`, { chatTemplate: THINKING_TEMPLATE }),
      weather: await weatherModel(),
      random: await randomModel('qwen2'),
      endless: await endlessModel({ contextTokens: 512 }),
      embedder: await wordEmbedder({ dimensions: 64 }),
    },
    { ASKD_OLLAMA_API: 'on' },
  );
  const { path, projector } = await visionModel();
  await daemon.services.library.importArtifact({
    id: 'sees',
    path,
    projector,
    mode: 'link',
    engine: 'vision',
  });
  client = new Ollama({ host: `http://127.0.0.1:${daemon.port}` });
}, 60_000);
afterAll(() => daemon.close());

const loaded = () => daemon.services.pool.status().map(({ artifact }) => artifact);

describe('the client of Ollama, without a key', () => {
  test('chats whole, by names with and without a tag', async () => {
    for (const model of ['m', 'm:latest']) {
      const answer = await client.chat({ model, messages });
      expect(answer).toMatchObject({
        model,
        message: { role: 'assistant', content: ANSWER },
        done: true,
        done_reason: 'stop',
        eval_count: expect.any(Number) as number,
      });
      expect(answer.prompt_eval_count).toBeGreaterThan(0);
      expect(answer.total_duration).toBeGreaterThan(answer.eval_duration);
    }
  });

  test('chats in a stream whose last line has the counts and nothing to say', async () => {
    const parts = await collect(await client.chat({ model: 'm', messages, stream: true }));
    expect(parts.length).toBeGreaterThanOrEqual(2);
    expect(parts.map(({ message }) => message.content).join('')).toBe(ANSWER);
    expect(parts.map(({ done }) => done)).toEqual([...parts.slice(1).map(() => false), true]);
    expect(parts.at(-1)).toMatchObject({ message: { content: '' }, done_reason: 'stop' });
    expect(parts.at(-1)?.total_duration).toBeGreaterThan(0);
  });

  test('runs a tool and returns its result by the name of the tool', async () => {
    const tools = [
      { type: 'function', function: { name: 'get_weather', parameters: { type: 'object', properties: {} } } },
    ];
    const asked = await collect(await client.chat({ model: 'weather', messages, tools, stream: true }));
    const said = asked.find(({ message }) => message.tool_calls)?.message as Message;
    expect(said.tool_calls).toMatchObject([
      { function: { name: 'get_weather', arguments: WEATHER_ARGUMENTS } },
    ]);
    const result = { role: 'tool', tool_name: 'get_weather', content: 'sunny' };
    // As in the package's own examples: the ids of calls are not sent back.
    const bare = { ...said, tool_calls: said.tool_calls?.map((call) => ({ function: call.function })) };
    const conversation = [...messages, bare, result];
    const whole = await client.chat({ model: 'weather', messages: conversation, tools });
    expect(whole.message.content).toBe(WEATHER_ANSWER);
  });

  test('gets reasoning apart from the answer', async () => {
    const whole = await client.chat({ model: 'thinks', messages, think: true });
    expect(whole.message).toEqual({ role: 'assistant', content: ANSWER, thinking: THOUGHT });
    const parts = await collect(
      await client.generate({ model: 'thinks', prompt: 'hi', think: 'low', stream: true }),
    );
    expect(parts.map(({ thinking = '' }) => thinking).join('')).toBe(THOUGHT);
    expect(parts.map(({ response = '' }) => response).join('')).toBe(ANSWER);
  });

  test('gets an answer in the requested schema', async () => {
    const whole = await client.chat({
      model: 'random',
      messages,
      format: MOOD,
      options: { num_predict: 60 },
    });
    expect(JSON.parse(whole.message.content)).toEqual({ mood: 'good' });
    const generated = await client.generate({ model: 'random', prompt: 'hi', format: MOOD });
    expect(JSON.parse(generated.response ?? '')).toEqual({ mood: 'good' });
  });

  test('shows images, which a model of another kind refuses', async () => {
    const options = { num_predict: 8, temperature: 0 };
    const see = async (colour: string) => {
      const images = [new Uint8Array(await pictureFile(colour))];
      return client.chat({ model: 'sees', messages: [{ role: 'user', content: 'What?', images }], options });
    };
    const [red, blue] = [await see('red'), await see('blue')];
    expect(red.eval_count).toBeGreaterThan(0);
    expect(red.message.content).not.toBe(blue.message.content);
    const images = [new Uint8Array(await pictureFile('red'))];
    await expect(client.generate({ model: 'm', prompt: 'What?', images })).rejects.toThrow(
      'does not accept images',
    );
  });

  test('generates, and continues with the context that came with the answer', async () => {
    const first = await client.generate({ model: 'm', prompt: 'hello', system: 'Be kind.' });
    expect(first).toMatchObject({ response: ANSWER, done: true, done_reason: 'stop' });
    const second = await client.generate({ model: 'm', prompt: 'hello', context: first.context });
    expect(second.prompt_eval_count).toBeGreaterThan(first.prompt_eval_count);
    expect(second.context.length).toBeGreaterThan(first.context.length);
    const foreign = client.generate({ model: 'm', prompt: 'hello', context: [1, 2, 3] });
    await expect(foreign).rejects.toThrow('does not come from askd');
  });

  test('continues a raw text, and limits the answer', async () => {
    const options = { num_predict: 3, top_k: 40, repeat_penalty: 1.1, stop: ['xyz'] };
    const raw = await client.generate({ model: 'endless', prompt: 'and', raw: true, options });
    expect(raw).toMatchObject({ done_reason: 'length', eval_count: 3 });
    expect(raw.context).toBeUndefined();
  });

  test('makes vectors of texts', async () => {
    const input = ['the cat sat', 'cat the sat', 'red fire'];
    const { embeddings, model, prompt_eval_count: count } = await client.embed({ model: 'embedder', input });
    const [first = [], same = [], other = []] = embeddings;
    expect([model, first.length, count]).toEqual(['embedder', 64, expect.any(Number)]);
    expect(similarity(first, same)).toBeCloseTo(1, 4);
    expect(similarity(first, other)).toBeLessThan(0.9);
    const { embedding } = await client.embeddings({ model: 'embedder', prompt: 'the cat sat' });
    expect(similarity(embedding, first)).toBeCloseTo(1, 4);
  });

  test('stops an answer, and the model is free again', async () => {
    const stream = await client.chat({ model: 'endless', messages, stream: true });
    const reading = (async () => {
      for await (const part of stream) if (part.message.content) stream.abort();
    })();
    await expect(reading).rejects.toThrow('abort');
    await eventually(() => busy(daemon)).toBe(0);
  });
});

describe('models', () => {
  test('are listed with a tag, and shown with what they can do', async () => {
    const { models } = await client.list();
    expect(models.map(({ name }) => name)).toEqual(expect.arrayContaining(['m:latest', 'embedder:latest']));
    const listed = models.find(({ name }) => name === 'm:latest');
    expect(listed).toMatchObject({ details: { format: 'gguf', family: expect.any(String) as string } });
    expect(listed?.digest).toMatch(/^[0-9a-f]{64}$/);
    expect((await client.show({ model: 'thinks' })).capabilities).toEqual([
      'completion',
      'tools',
      'thinking',
    ]);
    expect((await client.show({ model: 'sees' })).capabilities).toContain('vision');
    expect((await client.show({ model: 'embedder' })).capabilities).toEqual(['embedding']);
    const shown = await client.show({ model: 'endless' });
    expect(shown.model_info).toMatchObject({ [`${shown.details.family}.context_length`]: 512 });
    expect((await client.version()).version).toMatch(/^\d+\.\d+/);
  });

  test('are loaded by a request without a prompt, kept as long as it says, and unloaded', async () => {
    const body = { model: 'm', messages: [], keep_alive: -1 };
    expect(await client.chat(body)).toMatchObject({ done: true, done_reason: 'load' });
    const running = (await client.ps()).models.find(({ name }) => name === 'm:latest');
    expect(String(running?.expires_at)).toMatch(/^23/);
    await client.chat({ model: 'm', messages, keep_alive: '10m' });
    const kept = (await client.ps()).models.find(({ name }) => name === 'm:latest');
    expect(Date.parse(String(kept?.expires_at)) - Date.now()).toBeGreaterThan(500_000);
    const out = await client.generate({ model: 'm', prompt: '', keep_alive: 0 });
    expect([out.done_reason, loaded()]).toEqual(['unload', expect.not.arrayContaining(['m'])]);
    await client.chat({ model: 'm', messages, keep_alive: 0 });
    await eventually(loaded).not.toContain('m');
  });

  test('that do not exist are 404, in the words that clients look for', async () => {
    await expect(client.chat({ model: 'nope', messages })).rejects.toMatchObject({
      status_code: 404,
      message: expect.stringContaining('not found, try pulling it first') as string,
    });
    await expect(client.show({ model: 'nope' })).rejects.toMatchObject({ status_code: 404 });
  });
});
