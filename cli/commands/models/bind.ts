import { command } from '../../command.ts';

type Options = { draft?: string | boolean; fallback?: string[] | boolean };

export const bind = command<Options>({
  name: 'bind',
  group: 'Models:',
  summary: 'choose the artifact that serves a service model',
  examples: [
    'askd bind svc-chat-v1 qwen2.5-7b',
    'askd bind svc-chat-v1 qwen2.5-7b --draft qwen2.5-0.5b    # the small one guesses ahead',
    'askd bind svc-chat-v1 qwen2.5-7b --no-draft',
    'askd bind svc-chat-v1 big-chat --fallback qwen2.5-7b    # while big-chat is down',
  ],
  configure(commander) {
    commander
      .argument('<service>', 'id of a service model, such as svc-chat-v1')
      .argument('<artifact>', 'id of an artifact, from askd models')
      .option('--draft <artifact>', 'a smaller model of the same family, for speculative decoding')
      .option('--no-draft', 'turn speculative decoding off')
      .option('--fallback <artifact>', 'artifact to use while it is unavailable; repeatable', collect)
      .option('--no-fallback', 'remove its fallbacks');
  },
  async run({ connect, output }, { args: [service = '', artifact = ''], options }) {
    const client = await connect();
    const binding = await client.bind({ service, artifact, ...drafting(options), ...fallbacks(options) });
    output.result({ schema: 'bind/1', ...binding }, () => {
      const helped = binding.draft === undefined ? '' : `, with ${binding.draft} as its draft model`;
      const next = binding.fallbacks ? ` Fallbacks, in this order: ${binding.fallbacks.join(', ')}.` : '';
      return `${binding.service} is now served by ${binding.artifact}${helped}.${next}`;
    });
  },
});

/** Commander's default for an option with a `--no-` form is true. */
function collect(artifact: string, before: unknown): string[] {
  return [...(Array.isArray(before) ? (before as string[]) : []), artifact];
}

function drafting({ draft }: Options): { draft?: string } {
  if (draft === undefined || draft === true) return {};
  return { draft: draft === false ? '' : draft };
}

function fallbacks({ fallback }: Options): { fallbacks?: string[] } {
  if (fallback === undefined || fallback === true) return {};
  return { fallbacks: fallback === false ? [] : fallback };
}
