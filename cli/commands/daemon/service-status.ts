import { command } from '../../command.ts';
import { addScope, inScope, type ScopeOptions } from '../../daemon-control/service/scope.ts';
import { renderFields } from '../../output/table.ts';

export const serviceStatus = command<ScopeOptions>({
  name: 'service status',
  group: 'Setup:',
  summary: 'show whether the service is installed and running',
  details: 'Exits with 6 if the service is not running.',
  examples: ['askd service status', 'askd service status --json'],
  configure: addScope,
  async run(context, { options }) {
    const { openService } = await import('../../daemon-control/service/service.ts');
    const service = openService(inScope(context, options));
    const installed = service.isInstalled();
    const running = installed && (await service.isRunning());
    const current = installed && (await service.isCurrent());
    const lingers = await service.lingers();
    const document = {
      schema: 'service-status/1',
      manager: service.name,
      file: service.file,
      installed,
      running,
      current,
      lingers,
    };
    context.output.result(document, () =>
      renderFields([
        ['manager', service.name],
        ['installed', installed ? service.file : 'no'],
        ['running', running ? 'yes' : 'no'],
        ['up to date', current ? 'yes' : installed ? 'no: askd service install' : '-'],
        ['after logout', lingers ? 'keeps running' : 'stops'],
      ]),
    );
    return running ? 0 : 6;
  },
});
