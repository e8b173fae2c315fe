import type { Command as Commander } from 'commander';
import { withoutGlobalFlags } from './load-commands.ts';

/** Whether the first words name a command or a family of commands. */
export function namesCommand(program: Commander, argv: readonly string[]): boolean {
  let parent = program;
  for (const word of withoutGlobalFlags(argv)) {
    if (parent.commands.length === 0 || word.startsWith('-')) return true;
    const command = parent.commands.find((each) => each.name() === word || each.aliases().includes(word));
    if (command === undefined) return false;
    parent = command;
  }
  return true;
}

/** With the flag, commander would show the parent's help for an unknown word, and succeed. */
export function withoutHelp(argv: readonly string[]): string[] {
  return argv.filter((word) => word !== '--help' && word !== '-h');
}
