import { Failure } from '../../../src/base/errors.ts';
import { command } from '../../command.ts';

export const simulateRm = command({
  name: 'simulate rm',
  group: 'Access:',
  summary: 'remove a simulation rule',
  examples: ['askd simulate rm sim_01JD0000000000000000000000'],
  configure(commander) {
    commander.argument('<id>', 'from askd simulate list');
  },
  async run({ connect, output }, { args: [id = ''] }) {
    const client = await connect();
    const keys = (await client.listKeys()).filter((key) => key.is_test);
    for (const key of keys) {
      const { simulations } = await client.simulations.list(key.id);
      if (!simulations.some((rule) => rule.id === id)) continue;
      await client.simulations.remove(key.id, id);
      return output.result({ schema: 'simulate-rm/1', success: true, id }, () => `Removed ${id}.`);
    }
    throw new Failure('not_found', `Nothing is simulated under the id "${id}".`, {
      details: { fix: 'askd simulate list' },
    });
  },
});
