import { integerBetween } from '../arguments.ts';
import { command } from '../command.ts';
import { LOG_LEVELS, type LogLevelName } from '../log-line.ts';
import { refuseHost } from '../refuse-host.ts';

type LogsOptions = { follow?: true; lines: number; level?: LogLevelName };

export const logs = command<LogsOptions>({
  name: 'logs',
  group: 'Daemon:',
  summary: "show the daemon's log",
  details:
    'Reads the log file, so it also works while the daemon is not running. With --json, one document a line.',
  examples: ['askd logs', 'askd logs -f --level warn', 'askd logs -n 500 --json | jq .msg'],
  configure(commander) {
    commander
      .option('-f, --follow', 'keep printing what is logged')
      .option('-n, --lines <count>', 'how many lines to begin with', integerBetween(0, 1_000_000), 50)
      .addOption(commander.createOption('--level <level>', 'only this level and above').choices(LOG_LEVELS));
  },
  async run(context, { options }) {
    refuseHost(context, 'logs');
    const { printLogs } = await import('../log-print.ts');
    await printLogs(context, options);
  },
});
