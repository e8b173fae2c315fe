import type { Command as Commander } from 'commander';
import { EXIT_CODES } from '../exit-codes.ts';

export type CommandMap = {
  name: string;
  summary: string;
  aliases: readonly string[];
  arguments: readonly { name: string; required: boolean; many: boolean; description: string }[];
  options: readonly { flags: string; description: string; choices?: readonly string[] }[];
  commands: readonly CommandMap[];
};

/** The whole command line as one document, for programs that call it. */
export function commandMap(program: Commander): object {
  return { schema: 'map/1', exit_codes: EXIT_CODES, ...describe(program) };
}

function describe(commander: Commander): CommandMap {
  return {
    name: commander.name(),
    summary: commander.summary() || commander.description(),
    aliases: commander.aliases(),
    arguments: commander.registeredArguments.map((each) => ({
      name: each.name(),
      required: each.required,
      many: each.variadic,
      description: each.description,
    })),
    options: commander.options.map(({ flags, description, argChoices }) => ({
      flags,
      description,
      ...(argChoices && { choices: argChoices }),
    })),
    commands: commander.commands.map(describe),
  };
}
