import { createChatCompletion, type ChatCompletionRequest, type Usage } from '../../chat/chat.ts';
import { inputOf, LOOKS_ONLY, SLOW, textResult, type Tool, type ToolCall } from '../tool.ts';

const MODEL = 'svc-chat-v1';
/** Clients abandon a call after a minute of silence. */
const PROGRESS_EVERY_MS = 1000;

type Input = Omit<ChatCompletionRequest, 'messages'> & { prompt: string; system?: string };

export const chat: Tool = {
  name: 'chat',
  title: 'Ask a local model',
  description:
    "Sends a prompt to a language model that runs on this user's own machine and returns its answer. Nothing leaves " +
    'the machine. Each call stands alone: put everything that the model has to know into the prompt.',
  access: createChatCompletion.access,
  annotations: LOOKS_ONLY,
  input: () =>
    inputOf(
      createChatCompletion.body,
      ['model', 'max_tokens', 'temperature', 'seed', 'stop', 'response_format'],
      {
        prompt: { type: 'string', minLength: 1, description: 'The question or task, with all its context.' },
        system: { type: 'string', minLength: 1, description: 'How the model should behave.' },
        model: { default: MODEL, description: `The model; ${MODEL} by default.` },
        max_tokens: { description: 'The most tokens of the answer.' },
        response_format: { description: 'Makes the answer JSON that follows a schema.' },
      },
      ['prompt'],
    ),
  async run(input, call) {
    const { prompt, system, model = MODEL, ...options } = input as Input;
    const messages: ChatCompletionRequest['messages'] = [
      ...(system === undefined ? [] : [{ role: 'system' as const, content: system }]),
      { role: 'user', content: prompt },
    ];
    const { text, finishReason, usage } = await answer({ ...options, model, messages }, call);
    return textResult(text, { text, model, finish_reason: finishReason, usage });
  },
};

async function answer(body: ChatCompletionRequest, { http, signal, progress }: ToolCall) {
  let text = '';
  let finishReason: string | null = null;
  let usage: Usage | null = null;
  let pieces = 0;
  let saidAt = Date.now();
  const wanted = { ...body, stream: true, stream_options: { include_usage: true } };
  for await (const chunk of http.stream(createChatCompletion, { body: wanted, signal, ...SLOW })) {
    const choice = chunk.choices[0];
    text += choice?.delta.content ?? '';
    finishReason = choice?.finish_reason ?? finishReason;
    usage = chunk.usage ?? usage;
    pieces += 1;
    if (Date.now() - saidAt < PROGRESS_EVERY_MS) continue;
    progress({ done: pieces, message: 'writing' });
    saidAt = Date.now();
  }
  return { text, finishReason, usage };
}
