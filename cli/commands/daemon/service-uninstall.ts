import { command } from '../../command.ts';

export const serviceUninstall = command({
  name: 'service uninstall',
  group: 'Setup:',
  summary: 'remove the service',
  details: 'Stops the daemon. Models, keys and credits are kept.',
  examples: ['askd service uninstall'],
  async run(context) {
    const { openService } = await import('../../daemon-control/service/service.ts');
    const service = openService(context);
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
