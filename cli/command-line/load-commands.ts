import type { Command, CommandEntry } from '../command.ts';
import { COMMANDS } from '../commands.ts';
import { GLOBAL_OPTIONS } from './global-options.ts';

export type LoadedCommand = Command & Pick<CommandEntry, 'aliases'>;

/** Loads only the commands that a line can mean, or all of them for an unknown word or for help. */
export function commandsFor(argv: readonly string[]): Promise<LoadedCommand[]> {
  const [first = '', second = ''] = withoutGlobalFlags(argv);
  if (first === '--version' || first === '-V') return loadAll([]);
  const family = COMMANDS.filter(
    ({ name, aliases = [] }) => wordsOf(name)[0] === first || (isOneWord(name) && aliases.includes(first)),
  );
  const exact = family.filter(
    ({ name, aliases = [] }) => !isOneWord(name) && [wordsOf(name)[1], ...aliases].includes(second),
  );
  const chosen = exact.length > 0 ? exact : family;
  return loadAll(chosen.length === 0 || chosen.some(({ needsAll }) => needsAll) ? COMMANDS : chosen);
}

export function loadAll(entries: readonly CommandEntry[] = COMMANDS): Promise<LoadedCommand[]> {
  return Promise.all(
    entries.map(async ({ load, aliases }) => ({ ...(await load()), ...(aliases && { aliases }) })),
  );
}

function wordsOf(name: string): string[] {
  return name.split(' ');
}

function isOneWord(name: string): boolean {
  return !name.includes(' ');
}

/** Global flags may precede the command's name. */
export function withoutGlobalFlags(argv: readonly string[]): readonly string[] {
  for (const [flags] of GLOBAL_OPTIONS) {
    const [names = '', value] = flags.split(' <');
    if (names.split(', ').includes(argv[0] ?? '')) return withoutGlobalFlags(argv.slice(value ? 2 : 1));
  }
  return argv;
}
