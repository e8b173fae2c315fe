import { command } from '../../command.ts';
import { refuseHost } from '../../client/refuse-host.ts';

export const restart = command({
  name: 'restart',
  group: 'Daemon:',
  summary: 'stop the daemon, then start it again',
  details: 'Use it after an update or a change of settings.',
  examples: ['askd restart'],
  async run(context) {
    refuseHost(context, 'restart');
    const [{ stopDaemon }, { ensureDaemon }, { describeDaemon, describeDaemonText }] = await Promise.all([
      import('../../daemon-control/stop.ts'),
      import('../../daemon-control/start.ts'),
      import('../../daemon-control/description.ts'),
    ]);
    await stopDaemon(context);
    const daemon = describeDaemon(await ensureDaemon(context));
    context.output.result({ schema: 'restart/1', ...daemon }, () => describeDaemonText(daemon));
  },
});
