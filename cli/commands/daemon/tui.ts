import { Failure } from '../../../src/base/errors.ts';
import { command } from '../../command.ts';

const SCREENS = ['chat', 'overview', 'models', 'keys', 'wallet', 'webhooks', 'agent', 'logs'] as const;

type Options = { screen: (typeof SCREENS)[number]; folder?: string; screenReader?: boolean };

export const tui = command<Options>({
  name: 'tui',
  group: 'Daemon:',
  summary: 'chat, watch and manage everything on one screen',
  details:
    'Needs a terminal of at least 80x24. Press ? for the keys of a screen (also: askd help keymap). With ' +
    '--screen-reader, or INK_SCREEN_READER=true, it writes sentences one after another and redraws nothing.',
  examples: ['askd tui', 'askd tui --screen overview', 'askd tui --folder .', 'askd tui --screen-reader'],
  configure(commander) {
    commander.option('--folder <folder>', 'let the model propose changes to files in this folder');
    commander.option('--screen-reader', 'write lines that can be read aloud, and redraw nothing');
    commander.addOption(
      commander.createOption('--screen <name>', 'screen to open first').choices(SCREENS).default('chat'),
    );
  },
  async run(context, { options: { screen, folder: typed, screenReader } }) {
    const { io, output } = context;
    if (!io.stdin.isTTY || !io.stdout.isTTY || output.json) {
      throw new Failure('invalid_value', 'The dashboard needs a terminal.', {
        details: { fix: 'askd status --json, or any other command with --json' },
      });
    }
    const folder =
      typed === undefined
        ? undefined
        : (await import('../../chat/tools/folder/paths.ts')).chosenFolder(typed);
    const [client, { runTui }] = await Promise.all([context.connect(), import('../../tui/tui.tsx')]);
    await runTui(context, client, {
      screen,
      ...(folder !== undefined && { folder }),
      ...(screenReader !== undefined && { screenReader }),
    });
  },
});
