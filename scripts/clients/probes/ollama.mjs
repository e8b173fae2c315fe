import { Ollama } from 'ollama';
import { expect, expectTrue, feature, HELLO, rootURL, SAID } from './probe.mjs';

const client = new Ollama({ host: rootURL });
const messages = [{ role: 'user', content: 'Hello' }];
const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const tools = [{ type: 'function', function: { name: 'get_weather', description: 'Weather', parameters } }];

await feature('list and show', async () => {
  expectTrue((await client.list()).models.length > 5, 'no models');
  expectTrue((await client.show({ model: 'words' })).details, 'no details');
});
await feature('chat', async () =>
  expect((await client.chat({ model: 'words', messages })).message.content, HELLO),
);
await feature('stream', async () => {
  let text = '';
  for await (const part of await client.chat({ model: 'words', messages, stream: true }))
    text += part.message.content;
  expect(text, HELLO);
});
await feature('tools', async () => {
  const { message } = await client.chat({ model: 'weather', messages, tools });
  expect(message.tool_calls[0].function.arguments, { city: 'Rome' });
  const result = { role: 'tool', tool_name: 'get_weather', content: 'sunny' };
  expect(
    (await client.chat({ model: 'weather', messages: [...messages, message, result], tools })).message
      .content,
    SAID,
  );
});
await feature('generate', async () =>
  expectTrue((await client.generate({ model: 'words', prompt: 'Hello' })).response, 'no text'),
);
await feature('format', async () => {
  const format = { type: 'object', properties: { happy: { type: 'boolean' } }, required: ['happy'] };
  const { message } = await client.chat({ model: 'random', messages, format, options: { num_predict: 60 } });
  expect(typeof JSON.parse(message.content).happy, 'boolean');
});
await feature('embed', async () =>
  expect((await client.embed({ model: 'embedder', input: ['the cat', 'a'] })).embeddings.length, 2),
);
await feature('ps', async () => expectTrue((await client.ps()).models.length > 0, 'nothing is loaded'));
