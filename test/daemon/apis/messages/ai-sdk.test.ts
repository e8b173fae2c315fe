import { createAnthropic } from '@ai-sdk/anthropic';
import { generateText, jsonSchema, Output, stepCountIs, streamText, tool } from 'ai';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { writePdf } from '../../../../scripts/fixtures/pdf.ts';
import { hello, openDaemonWith, type ChatDaemon } from '../../../helpers/daemon/chat.ts';
import { randomModel, scriptedModel } from '../../../helpers/models/models.ts';
import {
  THINKING_TEMPLATE,
  WEATHER_ANSWER,
  WEATHER_ARGUMENTS,
  weatherModel,
} from '../../../helpers/models/tool-models.ts';

const THOUGHT = 'The user greets me, so I greet back.';
const ANSWER = 'Good morning to you!';
const CITY = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer' } },
  required: ['city', 'days'],
} as const;
const MOOD = {
  type: 'object',
  properties: { mood: { enum: ['good'] } },
  required: ['mood'],
  additionalProperties: false,
} as const;

/** Several models are loaded, each for the first time. */
vi.setConfig({ testTimeout: 90_000 });

let daemon: ChatDaemon;

beforeAll(async () => {
  daemon = await openDaemonWith({
    m: await scriptedModel(ANSWER),
    thinks: await scriptedModel(`${THOUGHT}\n</think>\n\n${ANSWER}`, { chatTemplate: THINKING_TEMPLATE }),
    weather: await weatherModel(),
    random: await randomModel('qwen2'),
  });
}, 60_000);
afterAll(() => daemon.close());

describe('the AI SDK', () => {
  const provider = () => createAnthropic({ apiKey: daemon.key, baseURL: daemon.baseURL });
  const providerOptions = { anthropic: { thinking: { type: 'enabled', budgetTokens: 1024 } } };

  test('shows reasoning, whole and as a stream, and sends it back without a warning', async () => {
    const model = provider()('thinks');
    const body = { model, maxOutputTokens: 500, providerOptions };
    const whole = await generateText({ ...body, prompt: 'hello' });
    const stream = streamText({ ...body, prompt: 'hello' });
    await stream.consumeStream();
    for (const answer of [whole, stream]) {
      expect([await answer.reasoningText, await answer.text]).toEqual([THOUGHT, ANSWER]);
      const { messages: said } = await answer.response;
      const next = await generateText({ ...body, messages: [...hello, ...said, ...hello] });
      expect([next.text, next.warnings]).toEqual([ANSWER, []]);
    }
  });

  test('calls a tool and continues with its result', async () => {
    const getWeather = tool({
      description: 'The weather of a city',
      inputSchema: jsonSchema<{ city: string; days: number }>(CITY as never),
      execute: () => 'sunny',
    });
    const { text, steps } = await generateText({
      model: provider()('weather'),
      prompt: 'hello',
      tools: { get_weather: getWeather },
      stopWhen: stepCountIs(3),
    });
    expect([text, steps[0]?.toolCalls[0]?.input]).toEqual([WEATHER_ANSWER, WEATHER_ARGUMENTS]);
  });

  test('gets an object of a schema', async () => {
    const { output } = await generateText({
      model: provider()('random'),
      prompt: 'hello',
      output: Output.object({ schema: jsonSchema<{ mood: string }>(MOOD as never) }),
    });
    expect(output).toEqual({ mood: 'good' });
  });

  test('sends a file', async () => {
    const data = writePdf(['One.']);
    const content = [{ type: 'file' as const, data, mediaType: 'application/pdf', filename: 'one.pdf' }];
    const { text } = await generateText({ model: provider()('m'), messages: [{ role: 'user', content }] });
    expect(text).toBe(ANSWER);
  });
});
