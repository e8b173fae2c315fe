import { command } from '../../command.ts';
import { logs } from './logs.ts';

export const serviceLogs = command({
  ...logs,
  name: 'service logs',
  group: 'Setup:',
  summary: 'show the log of the service, the same as askd logs',
  examples: ['askd service logs', 'askd service logs -f'],
});
