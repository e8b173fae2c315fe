import { command } from '../../command.ts';

export const top = command<{ once?: true }>({
  name: 'top',
  group: 'Daemon:',
  summary: 'watch requests, tokens, waiting times and models live',
  details:
    'Draws the metrics of the daemon, refreshed each second, with the last minute as graphs. q or Ctrl-C ends ' +
    'it. In a pipe, or with --json, it prints one sample after another; with --once, a single one.',
  examples: ['askd top', 'askd top --once', 'askd top --once --json'],
  configure: (commander) => void commander.option('--once', 'print one sample and exit'),
  async run(context, { options }) {
    const { followTop } = await import('../../daemon-control/top/follow.ts');
    return followTop(context, { isOnce: options.once === true });
  },
});
