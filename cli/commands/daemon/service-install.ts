import { command } from '../../command.ts';
import { addScope, inScope, requireRoot, type ScopeOptions } from '../../daemon-control/service/scope.ts';

export const serviceInstall = command<ScopeOptions>({
  name: 'service install',
  group: 'Setup:',
  summary: 'start the daemon when you log in, and again when it fails',
  details:
    'For your user: systemd (user), launchd or the Windows Task Scheduler. With --system, for the whole machine, from ' +
    'boot: systemd runs it as a dedicated user that sees only its home and the graphics cards. The service never uses a ' +
    'path of a Node version manager. Run this again after askd or Node has moved. Commands then start the daemon through ' +
    'the service, except when settings are given in the environment, which a service does not see.',
  examples: ['askd service install', 'sudo askd service install --system'],
  configure: addScope,
  async run(context, { options }) {
    if (options.system) requireRoot('askd service install --system');
    const { installService } = await import('../../daemon-control/service/install.ts');
    await installService(inScope(context, options));
  },
});
