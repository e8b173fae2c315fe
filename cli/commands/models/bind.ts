import { command } from '../../command.ts';

type Options = { draft?: string | boolean };

export const bind = command<Options>({
  name: 'bind',
  group: 'Models:',
  summary: 'choose the artifact that serves a service model',
  examples: [
    'askd bind svc-chat-v1 qwen2.5-7b',
    'askd bind svc-chat-v1 qwen2.5-7b --draft qwen2.5-0.5b    # the small one guesses ahead',
    'askd bind svc-chat-v1 qwen2.5-7b --no-draft',
  ],
  configure(commander) {
    commander
      .argument('<service>', 'id of a service model, such as svc-chat-v1')
      .argument('<artifact>', 'id of an artifact, from askd models')
      .option('--draft <artifact>', 'a smaller model of the same family, for speculative decoding')
      .option('--no-draft', 'turn speculative decoding off');
  },
  async run({ connect, output }, { args: [service = '', artifact = ''], options: { draft } }) {
    const client = await connect();
    // Commander's default is true.
    const wanted = draft === undefined || draft === true ? {} : { draft: draft === false ? '' : draft };
    const binding = await client.bind({ service, artifact, ...wanted });
    output.result({ schema: 'bind/1', ...binding }, () => {
      const helped = binding.draft === undefined ? '' : `, with ${binding.draft} as its draft model`;
      return `${binding.service} is now served by ${binding.artifact}${helped}.`;
    });
  },
});
