import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { embedMany, generateObject, generateText, stepCountIs, streamText, tool } from 'ai';
import { z } from 'zod';
import { apiKey, baseURL, expect, expectRefusal, feature, HELLO, LONG, SAID, visitOf } from './probe.mjs';

const providers = {
  openai: createOpenAI({ apiKey, baseURL }),
  'openai-compatible': createOpenAICompatible({
    name: 'askd',
    apiKey,
    baseURL,
    supportsStructuredOutputs: true,
  }),
  anthropic: createAnthropic({ apiKey, baseURL }),
};
const tools = { get_weather: tool({ inputSchema: z.object({ city: z.string() }), execute: () => 'sunny' }) };

for (const [name, provider] of Object.entries(providers)) {
  await feature(`${name}: text`, async () => {
    expect((await generateText({ model: provider('words'), prompt: 'Hello', maxRetries: 0 })).text, HELLO);
  });
  await feature(`${name}: stream`, async () => {
    expect(await streamText({ model: provider('words'), prompt: 'Hello', maxRetries: 0 }).text, HELLO);
  });
  await feature(`${name}: tools`, async () => {
    const stopWhen = stepCountIs(3);
    const { text } = await generateText({
      model: provider('weather'),
      prompt: 'Hello',
      tools,
      stopWhen,
      maxRetries: 0,
    });
    expect(text, SAID);
  });
  await feature(`${name}: object`, async () => {
    const schema = z.object({ happy: z.boolean() });
    const { object } = await generateObject({
      model: provider('random'),
      prompt: 'Hello',
      schema,
      maxRetries: 0,
    });
    expect(typeof object.happy, 'boolean');
  });
  await feature(`${name}: object with formats`, async () => {
    const schema = visitOf(z);
    const { object } = await generateObject({
      model: provider('random'),
      prompt: 'Hello',
      schema,
      maxRetries: 0,
    });
    schema.parse(object);
  });
  await feature(`${name}: a text that is too long`, () =>
    expectRefusal(() => generateText({ model: provider('random'), prompt: LONG })),
  );
}
await feature('embeddings', async () => {
  const model = providers.openai.embedding('embedder');
  expect((await embedMany({ model, values: ['the cat', 'the dog'] })).embeddings.length, 2);
});
