import type { Command as Commander } from 'commander';

const EXAMPLES = new WeakMap<Commander, readonly string[]>();

/** Shown at the end of a command's help, and in the manual. */
export function giveExamples(commander: Commander, examples: readonly string[]): Commander {
  EXAMPLES.set(commander, examples);
  return commander.addHelpText('after', `\nExamples:\n${examples.map((each) => `  $ ${each}`).join('\n')}\n`);
}

export function examplesOf(commander: Commander): readonly string[] {
  return EXAMPLES.get(commander) ?? [];
}
