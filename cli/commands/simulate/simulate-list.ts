import { command } from '../../command.ts';
import { renderTable } from '../../output/table.ts';
import { troubleText } from './rule-text.ts';

export const simulateList = command({
  name: 'simulate list',
  group: 'Access:',
  summary: 'list the simulation rules and their keys',
  examples: ['askd simulate list', 'askd simulate list --json'],
  async run({ connect, output }) {
    const client = await connect();
    const keys = (await client.listKeys()).filter((key) => key.is_test);
    const listed = await Promise.all(
      keys.map(async ({ id, name }) =>
        (await client.simulations.list(id)).simulations.map((rule) => ({ key_id: id, key: name, ...rule })),
      ),
    );
    const simulations = listed.flat();
    output.result({ schema: 'simulate-list/1', simulations }, () =>
      simulations.length === 0
        ? 'Nothing is simulated: askd simulate add --help'
        : renderTable(
            simulations,
            [
              { title: 'ID', value: ({ id }) => id },
              { title: 'KEY', value: ({ key }) => key, shrinks: true },
              { title: 'ROUTE', value: ({ method, path }) => `${method} ${path}` },
              { title: 'EVERY', value: ({ every }) => String(every) },
              { title: 'TIMES', value: ({ times }) => String(times ?? '-') },
              { title: 'SEEN', value: ({ seen }) => String(seen) },
              { title: 'SIMULATES', value: ({ simulates }) => troubleText(simulates), shrinks: true },
            ],
            output,
          ),
    );
  },
});
