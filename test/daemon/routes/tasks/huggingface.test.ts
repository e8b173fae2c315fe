import { InferenceClient } from '@huggingface/inference';
import { expect, test } from 'vitest';
import { collect, daemonWith, hello } from '../../../helpers/daemon/chat.ts';
import { scriptedModel } from '../../../helpers/models/models.ts';

test("Hugging Face's client chats and continues a text, whole and as a stream", async () => {
  const daemon = await daemonWith({ m: await scriptedModel('Any answer.') });
  const client = new InferenceClient(daemon.key, { endpointUrl: daemon.baseURL });
  const body = { model: 'm', messages: hello, max_tokens: 50 };
  expect((await client.chatCompletion(body)).choices[0]?.message.content).toBe('Any answer.');
  const chunks = await collect(client.chatCompletionStream(body));
  expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe('Any answer.');
  expect(await client.textGeneration({ model: 'm', inputs: 'hello' })).toEqual({
    generated_text: 'Any answer.',
  });
});
