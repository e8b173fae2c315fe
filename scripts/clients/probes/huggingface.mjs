import { InferenceClient } from '@huggingface/inference';
import { apiKey, baseURL, expect, feature, HELLO } from './probe.mjs';

const client = new InferenceClient(apiKey, { endpointUrl: baseURL });
const messages = [{ role: 'user', content: 'Hello' }];

await feature('chat', async () => {
  expect((await client.chatCompletion({ model: 'words', messages })).choices[0].message.content, HELLO);
});
await feature('stream', async () => {
  let text = '';
  for await (const chunk of client.chatCompletionStream({ model: 'words', messages }))
    text += chunk.choices[0]?.delta.content ?? '';
  expect(text, HELLO);
});
