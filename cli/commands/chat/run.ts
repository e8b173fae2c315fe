import { parseDuration } from '../../../src/base/units.ts';
import { Failure } from '../../../src/base/errors.ts';
import type { ChatOptions } from '../../chat/options.ts';
import { command } from '../../command.ts';
import { chat } from './chat.ts';

type RunOptions = ChatOptions & { keepalive?: string; verbose?: boolean };

export const run = command<RunOptions>({
  name: 'run',
  group: 'Chat:',
  summary: 'chat with a model, downloading it first if needed',
  details: 'Takes the options of askd chat. --verbose is the same as --stats.',
  examples: ['askd run svc-chat-v1', 'askd run hf:unsloth/Qwen3-4B-Instruct-2507-GGUF:Q4_K_M "Say hello"'],
  configure(commander) {
    commander.argument('<model>', 'a service model, an artifact, or hf:org/repo[:quant]');
    chat.configure?.(commander);
    commander.option('--keepalive <time>', 'how long to keep it in memory when idle: 30s, 10m, 1h, forever');
  },
  async run(context, { args: [wanted = '', ...prompt], options, commander }) {
    if (commander.getOptionValueSource('model') === 'cli') {
      throw new Failure('unsupported_parameter', 'The first argument of askd run must be the model.', {
        details: { fix: 'askd run MODEL, or askd chat -m MODEL' },
      });
    }
    checkKeepalive(options.keepalive);
    const { ensureModel } = await import('../../models/pull/ensure-model.ts');
    const model = await ensureModel(context, wanted);
    if (options.keepalive !== undefined)
      await (await context.connect()).load({ model, keep_alive: options.keepalive });
    const stats = options.stats === true || options.verbose === true;
    return chat.run(context, { args: prompt, options: { ...options, model, stats }, commander });
  },
});

function checkKeepalive(time: string | undefined): void {
  if (time === undefined || parseDuration(time) !== undefined) return;
  throw new Failure(
    'invalid_value',
    `--keepalive takes 30s, 10m, 1h30m, 0 or forever, not ${JSON.stringify(time)}.`,
    {
      details: { fix: 'askd run MODEL --keepalive 1h' },
    },
  );
}
