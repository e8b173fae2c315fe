import OpenAI, { toFile } from 'openai';
import { zodResponseFormat, zodTextFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import {
  apiKey,
  baseURL,
  expect,
  expectRefusal,
  expectTrue,
  feature,
  HELLO,
  LONG,
  SAID,
  visitOf,
} from './probe.mjs';

const client = new OpenAI({ apiKey, baseURL, maxRetries: 0 });
const messages = [{ role: 'user', content: 'Hello' }];
const Mood = z.object({ happy: z.boolean() });
const parameters = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};
const weather = {
  type: 'function',
  function: { name: 'get_weather', parameters, parse: JSON.parse, function: () => 'sunny' },
};

await feature('models', async () => expectTrue((await client.models.list()).data.length > 5, 'no models'));
await feature('chat', async () => {
  const answer = await client.chat.completions.create({
    model: 'words',
    messages,
    store: true,
    metadata: { a: 'b' },
  });
  expect(answer.choices[0].message.content, HELLO);
});
await feature('chat stream', async () => {
  const stream = client.chat.completions.stream({
    model: 'words',
    messages,
    stream_options: { include_usage: true },
  });
  expect(await stream.finalContent(), HELLO);
  expectTrue((await stream.totalUsage()).total_tokens > 0, 'no usage');
});
await feature('tools', async () => {
  const runner = client.chat.completions.runTools({ model: 'weather', messages, tools: [weather] });
  expect(await runner.finalContent(), SAID);
});
await feature('structured output', async () => {
  const body = { model: 'random', messages, response_format: zodResponseFormat(Mood, 'mood') };
  expect(typeof (await client.chat.completions.parse(body)).choices[0].message.parsed.happy, 'boolean');
});
await feature('structured output with formats', async () => {
  const visit = visitOf(z);
  const body = { model: 'random', messages, response_format: zodResponseFormat(visit, 'visit') };
  visit.parse((await client.chat.completions.parse(body)).choices[0].message.parsed);
});
await feature('a text that is too long', () => {
  const patient = new OpenAI({ apiKey, baseURL });
  const body = { model: 'random', messages: [{ role: 'user', content: LONG }] };
  return expectRefusal(() => patient.chat.completions.create(body));
});
await feature('logprobs', async () => {
  const answer = await client.chat.completions.create({
    model: 'words',
    messages,
    logprobs: true,
    top_logprobs: 2,
  });
  expect(answer.choices[0].logprobs.content[0].top_logprobs.length, 2);
});
await feature('completions', async () => {
  expectTrue(
    (await client.completions.create({ model: 'words', prompt: 'Hi' })).choices[0].text !== '',
    'no text',
  );
});
await feature('completions of tokens', async () => {
  const prompt = [[72, 105], [72]];
  expect((await client.completions.create({ model: 'words', prompt })).choices.length, 2);
});
await feature('responses', async () => {
  const first = await client.responses.create({ model: 'words', input: 'Hello', truncation: 'auto' });
  expect(first.output_text, HELLO);
  const next = await client.responses.create({
    model: 'words',
    input: 'And?',
    previous_response_id: first.id,
  });
  expect((await client.responses.retrieve(next.id)).previous_response_id, first.id);
  await client.responses.delete(first.id);
});
await feature('responses stream', async () => {
  expect(
    (await client.responses.stream({ model: 'words', input: 'Hello' }).finalResponse()).output_text,
    HELLO,
  );
});
await feature('responses structured output', async () => {
  const text = { format: zodTextFormat(Mood, 'mood') };
  const answer = await client.responses.parse({ model: 'random', input: 'Hello', text });
  expect(typeof answer.output_parsed.happy, 'boolean');
});
await feature('conversations', async () => {
  const { id } = await client.conversations.create({});
  await client.responses.create({ model: 'words', input: 'Hello', conversation: id });
  expect((await client.conversations.items.list(id)).data.length, 2);
});
await feature('embeddings', async () => {
  const { data } = await client.embeddings.create({ model: 'embedder', input: ['the cat', 'the dog'] });
  expectTrue(data.length === 2 && data[0].embedding.length > 1, 'no vectors');
});
await feature('errors', async () => {
  const error = await client.chat.completions.create({ model: 'nobody', messages }).catch((thrown) => thrown);
  expectTrue(error instanceof OpenAI.NotFoundError && error.code === 'model_not_found', String(error));
});
await feature('a form to a route that takes none', async () => {
  const file = await toFile(new Uint8Array(300_000), 'a.bin');
  const error = await client.files.create({ file, purpose: 'assistants' }).catch((thrown) => thrown);
  expectTrue(error instanceof OpenAI.APIError && error.status >= 400 && error.status < 500, String(error));
});
