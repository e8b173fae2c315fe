import { Failure } from '../../src/errors.ts';
import type { ChatOptions } from '../chat/options.ts';
import { command } from '../command.ts';
import { chat } from './chat.ts';

export const run = command<ChatOptions>({
  name: 'run',
  group: 'Chat:',
  summary: 'talk with a model, which is downloaded first if it is not here',
  details: 'With a prompt: one reply. Otherwise all that askd chat can do.',
  examples: ['askd run svc-chat-v1', 'askd run hf:unsloth/Qwen3-4B-Instruct-2507-GGUF:Q4_K_M "Say hello"'],
  configure(commander) {
    commander.argument('<model>', 'a service model, an artifact, or hf:org/repo[:quant]');
    chat.configure?.(commander);
  },
  async run(context, { args: [wanted = '', ...prompt], options, commander }) {
    if (commander.getOptionValueSource('model') === 'cli') {
      throw new Failure('unsupported_parameter', 'askd run takes the model as its first word.', {
        details: { fix: 'askd run MODEL, or askd chat -m MODEL' },
      });
    }
    const { ensureModel } = await import('../pull/ensure-model.ts');
    const model = await ensureModel(context, wanted);
    return chat.run(context, { args: prompt, options: { ...options, model }, commander });
  },
});
