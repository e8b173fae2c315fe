import { Failure } from '../../../src/base/errors.ts';
import type { Client } from '../../client/client.ts';
import { command } from '../../command.ts';

export const stop = command({
  name: 'stop',
  group: 'Models:',
  summary: 'unload a model from memory',
  examples: ['askd stop svc-chat-v1'],
  configure: (commander) => void commander.argument('<model>', 'id of a service model or of an artifact'),
  async run({ connect, output }, { args: [model = ''] }) {
    const client = await connect();
    const { stopped } = await client.stop(model);
    // An unknown name must not look like a model that is not loaded.
    if (!stopped) await requireInstalled(client, model);
    output.result({ schema: 'stop/1', stopped }, () =>
      stopped ? `Unloaded ${model}.` : `${model} was not loaded.`,
    );
  },
});

/** A model that is only to be unloaded is not offered for download. */
async function requireInstalled(client: Client, model: string): Promise<void> {
  await client.model(model).catch((error: unknown) => {
    if (!(error instanceof Failure) || error.code !== 'model_not_installed') throw error;
    throw new Failure('model_not_installed', `\`${model}\` is not installed, so it is not loaded.`, {
      cause: error,
      details: { fix: 'askd ps' },
    });
  });
}
