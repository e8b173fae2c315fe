import { command } from '../../command.ts';

export const serviceInstall = command({
  name: 'service install',
  group: 'Setup:',
  summary: 'start the daemon when you log in, and again when it fails',
  details:
    'For your user only: systemd (user), launchd or the Windows Task Scheduler. It never uses a path of a Node version ' +
    'manager. Run it again after askd or Node has moved. Commands then start the daemon through the service, except when ' +
    'settings are given in the environment, which a service does not see.',
  examples: ['askd service install'],
  run: async (context) => (await import('../../daemon-control/service/install.ts')).installService(context),
});
