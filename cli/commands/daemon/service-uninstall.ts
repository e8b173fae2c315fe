import { command } from '../../command.ts';

export const serviceUninstall = command({
  name: 'service uninstall',
  group: 'Setup:',
  summary: 'no longer start the daemon by itself',
  details: 'Stops it. Models, keys and credits stay.',
  examples: ['askd service uninstall'],
  async run(context) {
    const { openService } = await import('../../daemon-control/service/service.ts');
    const service = openService(context);
    const wasInstalled = service.isInstalled();
    if (wasInstalled) await service.uninstall();
    context.output.result(
      { schema: 'service-uninstall/1', was_installed: wasInstalled, file: service.file },
      () => (wasInstalled ? 'askd is no service any more. askd up starts it.' : 'askd was no service.'),
    );
  },
});
