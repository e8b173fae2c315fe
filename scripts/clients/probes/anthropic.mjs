import Anthropic from '@anthropic-ai/sdk';
import { betaZodTool } from '@anthropic-ai/sdk/helpers/beta/zod';
import { z } from 'zod';
import { apiKey, expect, expectTrue, feature, HELLO, rootURL, SAID } from './probe.mjs';

const client = new Anthropic({ apiKey, baseURL: rootURL, maxRetries: 0 });
const messages = [{ role: 'user', content: 'Hello' }];
const ask = { model: 'words', max_tokens: 100, messages };
const run = () => 'sunny';

await feature('models', async () => expectTrue((await client.models.list()).data[0].display_name, 'no name'));
await feature('messages', async () => expect((await client.messages.create(ask)).content[0].text, HELLO));
await feature('stream', async () => expect(await client.messages.stream(ask).finalText(), HELLO));
await feature('count tokens', async () => {
  expectTrue((await client.messages.countTokens({ model: 'words', messages })).input_tokens > 0, 'no tokens');
});
await feature('tool runner', async () => {
  const weather = betaZodTool({
    name: 'get_weather',
    description: 'Weather',
    inputSchema: z.object({ city: z.string() }),
    run,
  });
  const last = await client.beta.messages.toolRunner({ ...ask, model: 'weather', tools: [weather] });
  expect(last.content.at(-1).text, SAID);
});
await feature('cache marks and beta headers', async () => {
  const system = [{ type: 'text', text: 'Be kind.', cache_control: { type: 'ephemeral' } }];
  const answer = await client.beta.messages.create({
    ...ask,
    system,
    betas: ['context-management-2025-06-27'],
  });
  expect(answer.content[0].text, HELLO);
});
await feature('documents', async () => {
  const source = { type: 'text', media_type: 'text/plain', data: 'The launch code is 4711.' };
  const content = [
    { type: 'document', source },
    { type: 'text', text: 'What?' },
  ];
  expect(
    (await client.messages.create({ ...ask, messages: [{ role: 'user', content }] })).content[0].text,
    HELLO,
  );
});
await feature('errors', async () => {
  const error = await client.messages.create({ ...ask, model: 'nobody' }).catch((thrown) => thrown);
  expectTrue(error instanceof Anthropic.NotFoundError, String(error));
});
