import type { UpstreamRequest } from '../../../src/api/management/upstreams.ts';
import { Failure } from '../../../src/base/errors.ts';
import { command } from '../../command.ts';
import type { Context } from '../../context.ts';

type UpstreamOptions = {
  url: string[];
  model: string;
  task?: string[];
  keyStdin?: true;
  context?: string;
  dimensions?: string;
};

/** The service that a model for a task most likely serves. */
const SERVICES: Record<string, string> = {
  chat: 'svc-chat-v1',
  embed: 'svc-embed-v1',
  rerank: 'svc-rerank-v1',
  moderate: 'svc-moderation-v1',
  translate: 'svc-translate-v1',
  transcribe: 'svc-whisper-v1',
  speak: 'svc-tts-v1',
  draw: 'svc-image-v1',
};

export const upstreamAdd = command<UpstreamOptions>({
  name: 'upstream add',
  group: 'Models:',
  summary: 'serve a model from other OpenAI-compatible servers',
  details:
    'Repeat --url for servers with the same model: requests go to the least busy one, and to the next if it fails. ' +
    'The key is read from stdin, which keeps it out of shell history and process lists, and stored in a file only you can read.',
  examples: [
    'askd upstream add big-chat --url http://gpu-1:8000/v1 --url http://gpu-2:8000/v1 --model org/model',
    'askd upstream add big-chat --url https://llm.example.com/v1 --model org/model --key-stdin < key.txt',
    'askd upstream add ears --url http://gpu-1:8000/v1 --model openai/whisper-large-v3 --task transcribe',
    'askd upstream add vectors --url http://gpu-1:8080/v1 --model bge-m3 --task embed --dimensions 1024',
  ],
  configure(commander) {
    const collect = (value: string, before: string[] = []) => [...before, value];
    commander
      .argument('<name>', 'id to give it here')
      .requiredOption('--url <url>', 'base URL, including /v1; repeatable', collect)
      .requiredOption('--model <name>', 'name of the model on that server')
      .option(
        '--task <task>',
        'chat (the default), embed, rerank, moderate, translate, transcribe, speak or draw; repeatable',
        collect,
      )
      .option('--key-stdin', 'read its API key from stdin')
      .option('--context <tokens>', 'its context length (default: 131072)')
      .option('--dimensions <count>', 'length of its vectors');
  },
  async run(context, { args: [id = ''], options }) {
    const { url, model, task = ['chat'], context: tokens, dimensions } = options;
    const key = options.keyStdin ? await readKey(context) : undefined;
    const client = await context.connect();
    const artifact = await client.addUpstream({
      id,
      base_urls: url,
      model,
      tasks: task as UpstreamRequest['tasks'],
      ...(key !== undefined && { key }),
      ...(tokens !== undefined && { context_tokens: toCount('--context', tokens) }),
      ...(dimensions !== undefined && { dimensions: toCount('--dimensions', dimensions) }),
    });
    context.output.result({ schema: 'upstream/1', ...artifact }, () =>
      [
        `${artifact.id} is served by ${url.join(', ')}.`,
        `Next: askd bind ${SERVICES[task[0] ?? ''] ?? 'svc-chat-v1'} ${artifact.id}`,
      ].join('\n'),
    );
  },
});

async function readKey({ io }: Context): Promise<string> {
  let text = '';
  for await (const part of io.stdin) text += String(part);
  const key = text.trim();
  if (key !== '') return key;
  throw new Failure('invalid_value', 'No key on stdin. Try: askd upstream add … --key-stdin < key.txt');
}

function toCount(option: string, text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new Failure('invalid_value', `${option} must be a number, not ${JSON.stringify(text)}.`);
}
