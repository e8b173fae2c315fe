import { OpenAI, OpenAIEmbedding } from '@llamaindex/openai';
import { apiKey, baseURL, expect, expectRefusal, expectTrue, feature, HELLO, LONG } from './probe.mjs';

const model = (name) =>
  new OpenAI({ model: name, apiKey, baseURL, maxRetries: 0, additionalSessionOptions: { baseURL } });
const messages = [{ role: 'user', content: 'Hello' }];

await feature('chat', async () => expect((await model('words').chat({ messages })).message.content, HELLO));
await feature('stream', async () => {
  let text = '';
  for await (const chunk of await model('words').chat({ messages, stream: true })) text += chunk.delta;
  expect(text, HELLO);
});
await feature('a text that is too long', () => {
  const patient = new OpenAI({ model: 'random', apiKey, baseURL, additionalSessionOptions: { baseURL } });
  return expectRefusal(() => patient.chat({ messages: [{ role: 'user', content: LONG }] }));
});
await feature('embeddings', async () => {
  const embedding = new OpenAIEmbedding({
    model: 'embedder',
    apiKey,
    baseURL,
    additionalSessionOptions: { baseURL },
  });
  expectTrue((await embedding.getTextEmbedding('the cat')).length > 1, 'no vector');
});
