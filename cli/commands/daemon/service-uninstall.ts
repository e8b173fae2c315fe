import { command } from '../../command.ts';
import { addScope, inScope, requireRoot, type ScopeOptions } from '../../daemon-control/service/scope.ts';

export const serviceUninstall = command<ScopeOptions>({
  name: 'service uninstall',
  group: 'Setup:',
  summary: 'remove the service',
  details: 'Stops the daemon. Models, keys and credits are kept.',
  examples: ['askd service uninstall', 'sudo askd service uninstall --system'],
  configure: addScope,
  async run(context, { options }) {
    if (options.system) requireRoot('askd service uninstall --system');
    const { openService } = await import('../../daemon-control/service/service.ts');
    const service = openService(inScope(context, options));
    const wasInstalled = service.isInstalled();
    if (wasInstalled) await service.uninstall();
    context.output.result(
      { schema: 'service-uninstall/1', was_installed: wasInstalled, file: service.file },
      () =>
        wasInstalled
          ? 'The service is removed. To start the daemon: askd up'
          : 'The service was not installed.',
    );
  },
});
