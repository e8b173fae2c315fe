import { command } from '../command.ts';

export const bind = command({
  name: 'bind',
  group: 'Models:',
  summary: 'choose the artifact that serves a service model',
  examples: ['askd bind svc-chat-v1 qwen2.5-0.5b'],
  configure(commander) {
    commander
      .argument('<service>', 'id of a service model, such as svc-chat-v1')
      .argument('<artifact>', 'id of an artifact, as askd models shows it');
  },
  async run({ connect, output }, { args: [service = '', artifact = ''] }) {
    const client = await connect();
    const binding = await client.bind({ service, artifact });
    output.result(
      { schema: 'bind/1', ...binding },
      () => `${binding.service} is now served by ${binding.artifact}.`,
    );
  },
});
