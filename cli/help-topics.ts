import { EXIT_CODES } from './exit-codes.ts';
import { renderFields } from './table.ts';

const ENVIRONMENT = [
  ['ASKD_HOME', 'folder with the database, the models and the logs'],
  ['ASKD_HOST', 'address that the daemon listens on (default: 127.0.0.1)'],
  ['ASKD_PORT', 'port that the daemon listens on (default: 11535)'],
  ['ASKD_BASE_URL', 'server that askd chat and askd models talk to'],
  ['ASKD_API_KEY', 'key that askd chat and askd models send'],
  ['ASKD_OFFLINE', 'never use the network for models'],
  ['HF_HOME', 'where models are kept, shared with other programs'],
  ['HF_TOKEN', 'who you are at the model hub'],
  ['HF_ENDPOINT', 'another model hub'],
  ['NO_COLOR', 'never use colours'],
  ['INK_SCREEN_READER', 'true: askd tui speaks sentences'],
  ['VISUAL, EDITOR', 'what askd config edit opens'],
] as const;

const FORMATTING = `Data goes to stdout, everything else to stderr.

--json      one document, with its kind and version in "schema"; streams are JSON lines
--plain     tables without titles: one line a row, tabs between the cells, nothing cut
--quiet     no notes on stderr
--no-color  no colours; also NO_COLOR=1, and always in a pipe
--no-input  never ask: what would be asked is an error that names the flag

A pipe that is closed early (askd logs | head) ends a command with 0.
askd --map=json prints every command, argument, flag and exit code.`;

/** Pages of `askd help` that are no command. */
export const HELP_TOPICS: Readonly<Record<string, () => string | Promise<string>>> = {
  'exit-codes': () => renderFields(Object.entries(EXIT_CODES)),
  environment: () => renderFields(ENVIRONMENT),
  formatting: () => FORMATTING,
  keymap: async () => {
    const { keymapText } = await import('./tui/keymap-text.ts');
    return keymapText();
  },
};
