import { command } from '../../command.ts';

export const serviceInstall = command({
  name: 'service install',
  group: 'Setup:',
  summary: 'start the daemon when you log in, and again when it fails',
  details:
    'For you alone: systemd (user), launchd, or a task of Windows. It names no path of a version manager. Run it again ' +
    'after askd or Node have moved. From then on its manager starts the daemon wherever a command needs it, except where ' +
    'settings are given in the environment, which a service does not see.',
  examples: ['askd service install'],
  run: async (context) => (await import('../../daemon-control/service/install.ts')).installService(context),
});
