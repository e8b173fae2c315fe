// What the tests record and replay: an application that uses the official package, and prints everything that it
// receives.
import OpenAI from 'openai';

const openai = new OpenAI({ maxRetries: 0 });
const model = 'svc-chat-v1';
const messages = (content) => [{ role: 'user', content }];
const show = (name, value) => console.log(`${name} ${JSON.stringify(value)}`);

show('whole', await openai.chat.completions.create({ model, messages: messages('Hello.') }));
for await (const chunk of await openai.chat.completions.create({
  model,
  messages: messages('Hello.'),
  stream: true,
})) {
  show('chunk', chunk);
}
for await (const event of await openai.responses.create({ model, input: 'Hello.', stream: true })) {
  show('event', event);
}
const city = { type: 'object', properties: { city: { type: 'string' } } };
const tools = [{ type: 'function', function: { name: 'get_weather', parameters: city } }];
show('tools', await openai.chat.completions.create({ model, messages: messages('weather'), tools }));
for (const status of [429, 402, 503]) {
  const headers = { 'x-askd-simulate': `status=${status}; retry-after=7` };
  const failed = await openai.chat.completions
    .create({ model, messages: messages('Hello.') }, { headers })
    .catch((error) => error);
  show('error', [failed.status, failed.error, failed.headers.get('retry-after')]);
}
console.log(process.argv.slice(2).join(' '));
process.exitCode = 7;
