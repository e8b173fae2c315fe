import { HumanMessage, ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { ChatOpenAI, OpenAIEmbeddings } from '@langchain/openai';
import { z } from 'zod';
import { apiKey, baseURL, expect, expectRefusal, feature, HELLO, LONG, SAID, visitOf } from './probe.mjs';

const configuration = { baseURL };
const chat = (model) => new ChatOpenAI({ model, apiKey, configuration, maxRetries: 0 });
const weather = tool(() => 'sunny', {
  name: 'get_weather',
  description: 'Weather',
  schema: z.object({ city: z.string() }),
});

await feature('chat', async () => expect((await chat('words').invoke('Hello')).content, HELLO));
await feature('stream', async () => {
  let text = '';
  for await (const chunk of await chat('words').stream('Hello')) text += chunk.content;
  expect(text, HELLO);
});
await feature('tools', async () => {
  const model = chat('weather').bindTools([weather]);
  const asked = [new HumanMessage('Hello')];
  const call = await model.invoke(asked);
  const result = new ToolMessage({ content: 'sunny', tool_call_id: call.tool_calls[0].id });
  expect((await model.invoke([...asked, call, result])).content, SAID);
});
await feature('structured output', async () => {
  const bound = chat('random').withStructuredOutput(z.object({ happy: z.boolean() }));
  expect(typeof (await bound.invoke('Hello')).happy, 'boolean');
});
await feature('structured output with formats', async () => {
  const visit = visitOf(z);
  const bound = chat('random').withStructuredOutput(visit, { method: 'jsonSchema', strict: true });
  visit.parse(await bound.invoke('Hello'));
});
await feature('a text that is too long', () =>
  expectRefusal(() => new ChatOpenAI({ model: 'random', apiKey, configuration }).invoke(LONG)),
);
await feature('responses API', async () => {
  const model = new ChatOpenAI({
    model: 'words',
    apiKey,
    configuration,
    useResponsesApi: true,
    maxRetries: 0,
  });
  expect((await model.invoke('Hello')).text, HELLO);
});
await feature('embeddings', async () => {
  const embeddings = new OpenAIEmbeddings({ model: 'embedder', apiKey, configuration, maxRetries: 0 });
  expect((await embeddings.embedDocuments(['the cat', 'the dog'])).length, 2);
});
