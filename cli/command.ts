import type { Command as Commander } from 'commander';
import type { Context } from './context.ts';

/** What a shell runs for Tab, followed by the words of the line. */
export const COMPLETE = '__complete';

/** One entry of the command list. Its file stays light: heavy imports happen inside `run`. */
export type Command<Options extends object = Record<string, unknown>> = {
  /** As typed: `keys create`. */
  name: string;
  group: CommandGroup;
  summary: string;
  details?: string;
  /** Accepts the hidden option --account, for the owner of a daemon with several accounts. */
  isPerAccount?: boolean;
  examples: readonly string[];
  /** Adds its own arguments and options. */
  configure?(command: Commander): void;
  /** Resolves to an exit code, or to undefined for success. */
  run(context: Context, invocation: Invocation<Options>): Promise<number | void>;
};

/**
 * A command's file is imported when the command is typed: importing all of them takes longer than most commands run.
 */
export type CommandEntry = {
  /** As typed: `keys create`. */
  name: string;
  aliases?: readonly string[];
  load: () => Promise<Command>;
  /** It lists the other commands. */
  needsAll?: true;
};

export type CommandGroup =
  | 'Chat:'
  | 'Text:'
  | 'Sound:'
  | 'Models:'
  | 'Daemon:'
  | 'Access:'
  | 'Account:'
  | 'Webhooks:'
  | 'Setup:'
  | 'Help:';

export type Invocation<Options extends object> = {
  args: readonly string[];
  options: Options;
  commander: Commander;
};

export function command<Options extends Record<string, unknown>>(definition: Command<Options>): Command {
  return definition;
}
