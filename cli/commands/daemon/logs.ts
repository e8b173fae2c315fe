import { integerBetween, past } from '../../command-line/arguments.ts';
import { command } from '../../command.ts';
import { LOG_LEVELS, type LogLevelName } from '../../daemon-control/logs/line.ts';
import { refuseHost } from '../../client/refuse-host.ts';

type LogsOptions = { follow?: true; lines?: number; level?: LogLevelName; since?: number };

export const logs = command<LogsOptions>({
  name: 'logs',
  group: 'Daemon:',
  summary: "show the daemon's log",
  details:
    'Reads the log file, so it also works while the daemon is not running. With --json, one document per line.',
  examples: [
    'askd logs',
    'askd logs -f --level warn',
    'askd logs --since 10m',
    'askd logs -n 500 --json | jq .msg',
  ],
  configure(commander) {
    commander
      .option('-f, --follow', 'keep printing new lines')
      .option('--since <time>', 'all lines since then: 10m, 2h, or a date', past)
      .option(
        '-n, --lines <count>',
        'number of lines to show first (default: 50)',
        integerBetween(0, 1_000_000),
      )
      .addOption(commander.createOption('--level <level>', 'only this level and above').choices(LOG_LEVELS));
  },
  async run(context, { options }) {
    refuseHost(context, 'logs');
    const { printLogs } = await import('../../daemon-control/logs/print.ts');
    await printLogs(context, options);
  },
});
