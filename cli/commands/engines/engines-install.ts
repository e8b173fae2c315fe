import type { EngineRequest } from '../../../src/api/management/engines.ts';
import { command } from '../../command.ts';

export const enginesInstall = command<EngineRequest>({
  name: 'engines install',
  group: 'Models:',
  summary: 'install an optional engine from the npm registry',
  details:
    'Installs exact versions into the askd home, each verified against a hash in this askd. An interrupted download ' +
    'resumes when you run it again. --gpu adds the build for a GPU.',
  examples: [
    'askd engines install vision',
    'askd engines install vision --gpu cuda',
    'askd engines install diffusion',
  ],
  configure(commander) {
    commander
      .argument('<engine>', 'engine, from askd engines list')
      .addOption(
        commander.createOption('--gpu <kind>', 'add the build for this GPU').choices(['vulkan', 'cuda']),
      );
  },
  async run({ connect, output }, { args: [name = ''], options: { gpu } }) {
    const client = await connect();
    const { installEngine } = await import('../../models/engines/install-engine.ts');
    const engine = await installEngine(client, { name, gpu }, { output });
    output.result(
      { schema: 'engines-install/1', ...engine },
      () => `The engine "${engine.name}" ${engine.version} is installed: ${engine.path ?? ''}`,
    );
  },
});
