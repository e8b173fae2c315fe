import { command } from '../../command.ts';
import { refuseHost } from '../../client/refuse-host.ts';

export const up = command({
  name: 'up',
  group: 'Daemon:',
  summary: 'start the daemon in the background',
  examples: ['askd up', 'askd up --json', 'ASKD_PORT=12000 askd up'],
  async run(context) {
    refuseHost(context, 'up');
    const [{ ensureDaemon }, { describeDaemon, describeDaemonText }] = await Promise.all([
      import('../../daemon-control/start.ts'),
      import('../../daemon-control/description.ts'),
    ]);
    const daemon = describeDaemon(await ensureDaemon(context));
    context.output.result({ schema: 'up/1', ...daemon }, () => describeDaemonText(daemon));
  },
});
