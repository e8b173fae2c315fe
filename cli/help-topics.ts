import type { Command as Commander } from 'commander';
import { EXIT_CODES } from './exit-codes.ts';
import { renderFields } from './table.ts';

export const ENVIRONMENT = [
  ['ASKD_HOME', 'folder with the database, the models and the logs'],
  ['ASKD_HOST', 'address that the daemon listens on (default: 127.0.0.1)'],
  ['ASKD_PORT', 'port that the daemon listens on (default: 11535)'],
  ['ASKD_BASE_URL', 'server that askd chat and askd models talk to'],
  ['ASKD_API_KEY', 'key that askd chat and askd models send'],
  ['ASKD_PROFILE', 'personal or hosted, for a home that is new'],
  ['ASKD_OFFLINE', 'never use the network for models'],
  ['ASKD_SETTING', 'any setting of askd config list: ASKD_KEEP_ALIVE=2h'],
  ['HF_HOME', 'where models are kept, shared with other programs'],
  ['HF_TOKEN', 'who you are at the model hub'],
  ['HF_ENDPOINT', 'another model hub'],
  ['NO_COLOR', 'never use colours'],
  ['INK_SCREEN_READER', 'true: askd tui speaks sentences'],
  ['VISUAL, EDITOR', 'what askd config edit opens'],
] as const;

/** Below the home: askd config path says where that is. */
export const FILES = [
  ['config.json', 'the settings: askd config'],
  ['askd.db', 'keys, wallet, webhooks and all else that the daemon keeps'],
  ['models/', 'models that were pulled or imported'],
  ['logs/askd.log', 'what askd logs shows'],
  ['chat-history', 'what was typed in askd chat'],
  ['chats/', 'conversations: askd chats'],
  ['root-token', 'by which the command line is the owner'],
] as const;

const AGENTS = `For programs and agents that call askd:

askd --map=json    every command, argument, flag and exit code as one document
--json             the result as one document; "schema" names its kind and version
--no-input         never ask; --yes answers what would be asked
--no-autostart     fail with 6 when the daemon is not running
askd agent --jsonl every event of a run as a line: step, tool, message, error, done
askd logs --json   every line of the log as a line of JSON

$? is the only thing to test: askd help exit-codes. An error is two lines on stderr,
"error: what failed and why" and "fix: the command that mends it".`;

const OLLAMA = `What hands that know ollama type, and what it is here:

run, pull, list, ls, ps, show, cp, rm, stop, serve   the same
run MODEL --verbose            the same as --stats
run MODEL --keepalive 1h       the same as askd load MODEL --ttl 1h before it
run MODEL --format json        the same; --schema FILE binds it to a schema
run MODEL --nowordwrap         askd run MODEL --plain
show MODEL --modelfile         askd show MODEL; askd chat --show-prompt
create NAME -f Modelfile       askd import FILE --id NAME
push, signin                   askd publishes nothing; HF_TOKEN says who you are
/set parameter, /set verbose   the same in askd chat
OLLAMA_HOST                    ASKD_HOST, ASKD_PORT; for clients ASKD_BASE_URL
OLLAMA_MODELS                  ASKD_HOME, HF_HOME
OLLAMA_KEEP_ALIVE              askd config set keep_alive 1h
OLLAMA_CONTEXT_LENGTH          askd config set model_context_tokens 16384
OLLAMA_NUM_PARALLEL            askd config set model_slots 8
OLLAMA_FLASH_ATTENTION         askd config set flash_attention on
OLLAMA_KV_CACHE_TYPE           askd config set kv_cache_type q8_0

Programs that speak to OpenAI or Anthropic servers need only the base URL: askd status`;

const FORMATTING = `Data goes to stdout, everything else to stderr.

--json      one document, with its kind and version in "schema"; streams are JSON lines
--plain     tables without titles: one line a row, tabs between the cells, nothing cut
--quiet     no notes on stderr
--no-color  no colours; also NO_COLOR=1, and always in a pipe
--no-input  never ask: what would be asked is an error that names the flag

A pipe that is closed early (askd logs | head) ends a command with 0.
askd --map=json prints every command, argument, flag and exit code.`;

/** Pages of `askd help` that are no command. */
export const HELP_TOPICS: Readonly<Record<string, (program: Commander) => string | Promise<string>>> = {
  'exit-codes': () => renderFields(Object.entries(EXIT_CODES)),
  environment: () => renderFields(ENVIRONMENT),
  formatting: () => FORMATTING,
  agents: () => AGENTS,
  ollama: () => OLLAMA,
  files: () => renderFields(FILES),
  keymap: async () => {
    const { keymapText } = await import('./tui/keymap-text.ts');
    return keymapText();
  },
  man: async (program) => {
    const { manPage } = await import('./man-page.ts');
    return manPage(program);
  },
};
