// Prints an answer while the model writes it:
//   node examples/chat-stream.js "What is 12 + 31?"
import OpenAI from 'openai';

// Reads OPENAI_BASE_URL and OPENAI_API_KEY.
const client = new OpenAI();

const [question = 'What is 12 + 31?'] = process.argv.slice(2);
const stream = await client.chat.completions.create({
  model: 'svc-chat-v1',
  messages: [{ role: 'user', content: question }],
  temperature: 0,
  stream: true,
  stream_options: { include_usage: true },
});

// Ctrl-C closes the connection, and askd stops the model.
process.once('SIGINT', () => stream.controller.abort());

let usage;
for await (const chunk of stream) {
  process.stdout.write(chunk.choices[0]?.delta.content ?? '');
  usage = chunk.usage ?? usage;
}
console.log(usage ? `\n\n${usage.prompt_tokens} tokens read, ${usage.completion_tokens} written` : '');
