import type { Command, CommandGroup } from './command.ts';
import { bind } from './commands/bind.ts';
import { chat } from './commands/chat.ts';
import { down } from './commands/down.ts';
import { help } from './commands/help.ts';
import { importFile } from './commands/import.ts';
import { keysCreate } from './commands/keys-create.ts';
import { keysList } from './commands/keys-list.ts';
import { keysRevoke } from './commands/keys-revoke.ts';
import { load } from './commands/load.ts';
import { logs } from './commands/logs.ts';
import { models } from './commands/models.ts';
import { ps } from './commands/ps.ts';
import { restart } from './commands/restart.ts';
import { serve } from './commands/serve.ts';
import { show } from './commands/show.ts';
import { status } from './commands/status.ts';
import { stop } from './commands/stop.ts';
import { up } from './commands/up.ts';
import { version } from './commands/version.ts';

/** Every command, in the order in which help shows them. */
export const COMMANDS: readonly Command[] = [
  chat,
  models,
  show,
  ps,
  load,
  stop,
  importFile,
  bind,
  up,
  down,
  restart,
  status,
  serve,
  logs,
  keysCreate,
  keysList,
  keysRevoke,
  help,
  version,
];

/** The first words of two-word commands. */
export const COMMAND_FAMILIES: Readonly<Record<string, { summary: string; group: CommandGroup }>> = {
  keys: { summary: 'create, list and revoke API keys', group: 'Access:' },
};
