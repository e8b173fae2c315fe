import { command } from '../../command.ts';
import { refuseHost } from '../../client/refuse-host.ts';

export const down = command({
  name: 'down',
  group: 'Daemon:',
  summary: 'stop the daemon and wait until it has exited',
  details: 'Replies in progress are finished first.',
  examples: ['askd down'],
  async run(context) {
    refuseHost(context, 'down');
    const { stopDaemon } = await import('../../daemon-control/stop.ts');
    const pid = await stopDaemon(context);
    const stopped = pid !== undefined;
    context.output.result({ schema: 'down/1', stopped, pid: pid ?? null }, () =>
      stopped ? `The askd daemon (pid ${pid}) has stopped.` : 'The askd daemon was not running.',
    );
  },
});
