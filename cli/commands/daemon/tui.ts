import { preferProductionCode } from '../../../src/config/config.ts';
import { Failure } from '../../../src/base/errors.ts';
import { command } from '../../command.ts';

const SCREENS = ['overview', 'models', 'keys', 'wallet', 'webhooks', 'agent', 'logs'] as const;

export const tui = command<{ screen: (typeof SCREENS)[number] }>({
  name: 'tui',
  group: 'Daemon:',
  summary: 'watch and manage everything on one screen',
  details:
    'Needs a terminal of at least 80x24. Press ? for the keys of a screen (also: askd help keymap). With ' +
    'INK_SCREEN_READER=true it prints plain sentences.',
  examples: ['askd tui', 'askd tui --screen wallet'],
  configure(commander) {
    commander.addOption(
      commander.createOption('--screen <name>', 'screen to open first').choices(SCREENS).default('overview'),
    );
  },
  async run(context, { options: { screen } }) {
    const { io, output } = context;
    if (!io.stdin.isTTY || !io.stdout.isTTY || output.json) {
      throw new Failure('invalid_value', 'The dashboard needs a terminal.', {
        details: { fix: 'askd status --json, or any other command with --json' },
      });
    }
    preferProductionCode();
    const [client, { runTui }] = await Promise.all([context.connect(), import('../../tui/tui.tsx')]);
    await runTui(context, client, screen);
  },
});
