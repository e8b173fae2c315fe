import type { Command as Commander } from 'commander';
import { EXIT_CODES } from '../exit-codes.ts';
import { ENVIRONMENT, FILES } from './tables.ts';
import { renderFields } from '../output/table.ts';
import { settingsHelp } from './settings.ts';

const AGENTS = `For programs and agents that call askd:

askd --map=json    every command, argument, flag and exit code as one document
--json             the result as one document; "schema" names its kind
--no-input         never prompt; --yes confirms
--no-autostart     fail with 6 when the daemon is not running
askd agent --jsonl every event of a run as a line of JSON, "done" at the end
askd logs --json   every line of the log as a line of JSON

Test only the exit code: askd help exit-codes. An error is two lines on
stderr, "error: what failed and why" and "fix: the command that fixes it".`;

const OLLAMA = `The equivalents of ollama's commands and settings:

run, pull, list, ls, ps, show, cp, rm, stop, serve   the same
run MODEL --verbose            the same as --stats
run MODEL --keepalive 1h       the same as askd load MODEL --ttl 1h before it
run MODEL --format json        the same; --schema FILE constrains it to a schema
run MODEL --nowordwrap         askd run MODEL --plain
show MODEL --modelfile         askd show MODEL; askd chat --show-prompt
create NAME -f Modelfile       askd import FILE --id NAME
push, signin                   none; for the hub, set HF_TOKEN
/set parameter, /set verbose   the same in askd chat
OLLAMA_HOST                    ASKD_HOST, ASKD_PORT; for clients ASKD_BASE_URL
OLLAMA_MODELS                  ASKD_HOME, HF_HOME
OLLAMA_ORIGINS                 askd config add allowed_origins app://obsidian.md
OLLAMA_KEEP_ALIVE              askd config set keep_alive 1h
OLLAMA_CONTEXT_LENGTH          askd config set model_context_tokens 16384
OLLAMA_NUM_PARALLEL            askd config set model_slots 8
OLLAMA_FLASH_ATTENTION         askd config set flash_attention on
OLLAMA_KV_CACHE_TYPE           askd config set kv_cache_type q8_0

Programs for OpenAI or Anthropic servers need only the base URL: askd status`;

const FORMATTING = `Data goes to stdout, everything else to stderr.

--json      one document with its kind and version in "schema", or JSON lines
--plain     tables without a header: one line per row, tabs between cells
--quiet     no notes on stderr
--no-color  no colours; also NO_COLOR=1, and always in a pipe
--no-input  never prompt: fail with an error that names the flag

A command whose pipe is closed early (askd logs | head) exits with 0.
askd --map=json prints every command, argument, flag and exit code.`;

/** Help topics that are not commands. */
export const HELP_TOPICS: Readonly<Record<string, (program: Commander) => string | Promise<string>>> = {
  'exit-codes': () => renderFields(Object.entries(EXIT_CODES)),
  environment: () => renderFields(ENVIRONMENT),
  settings: settingsHelp,
  formatting: () => FORMATTING,
  agents: () => AGENTS,
  ollama: () => OLLAMA,
  files: () => renderFields(FILES),
  keymap: async () => {
    const { keymapText } = await import('../tui/keyboard/keymap-text.ts');
    return keymapText();
  },
  man: async (program) => {
    const { manPage } = await import('./man-page.ts');
    return manPage(program);
  },
};
