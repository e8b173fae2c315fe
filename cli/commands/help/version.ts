import { version as askdVersion } from '../../../src/base/version.ts';
import { command } from '../../command.ts';

export const version = command({
  name: 'version',
  group: 'Help:',
  summary: 'print the version',
  examples: ['askd version', 'askd --version'],
  async run({ output }) {
    output.result({ schema: 'version/1', version: askdVersion }, () => askdVersion);
  },
});
