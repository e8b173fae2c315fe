import { Command as Commander, Option } from 'commander';
import type { Command } from '../command.ts';
import type { LoadedCommand } from './load-commands.ts';
import { COMMAND_FAMILIES } from './command-families.ts';
import { giveExamples } from '../help/examples.ts';
import { GLOBAL, GLOBAL_OPTIONS } from './global-options.ts';
import type { Io } from '../output/output.ts';
import type { GlobalOptions } from '../environment.ts';
import { version } from '../../src/base/version.ts';

export type Runner = (command: Command, parsed: Parsed) => Promise<void>;
export type Parsed = {
  args: string[];
  options: Record<string, unknown> & GlobalOptions;
  commander: Commander;
};

/** Builds the program from these commands. `run` is called with the one that was typed. */
export function buildProgram(commands: readonly LoadedCommand[], io: Io, run: Runner): Commander {
  const program = new Commander('askd');
  program
    .description(
      'Run language, speech and image models on your own computer, behind one OpenAI-compatible API.',
    )
    .version(version, '-V, --version', 'print the version')
    .helpCommand(false)
    .showHelpAfterError('fix: askd --help')
    .exitOverride()
    .configureOutput(outputOf(io))
    .configureHelp({ subcommandTerm });
  giveExamples(program, ['askd chat "Say hello"', 'askd models', 'askd help exit-codes']);
  takeGlobalOptions(program);
  for (const command of commands) {
    const [first = '', last] = command.name.split(' ');
    const parent = last === undefined ? program : family(program, first, commands);
    addCommand(parent, command, run);
  }
  return program;
}

/** `keys` and `bind <service> <artifact>`, without the obvious [options]. */
function subcommandTerm(commander: Commander): string {
  const words = commander.registeredArguments.map((each) => {
    const word = each.variadic ? `${each.name()}...` : each.name();
    return each.required ? `<${word}>` : `[${word}]`;
  });
  return [[commander.name(), ...commander.aliases()].join('|'), ...words].join(' ');
}

function outputOf({ stdout, stderr }: Io) {
  return {
    writeOut: (text: string) => void stdout.write(text),
    writeErr: (text: string) => void stderr.write(text),
    getOutHelpWidth: () => 80,
    getErrHelpWidth: () => 80,
    getOutHasColors: () => false,
    getErrHasColors: () => false,
  };
}

function addCommand(parent: Commander, command: LoadedCommand, run: Runner): void {
  const commander = parent.command(command.name.split(' ').at(-1) ?? '').summary(command.summary);
  commander
    .description([command.summary, command.details].filter(Boolean).join('\n\n'))
    .aliases(command.aliases ?? [])
    .helpGroup(command.group)
    .showHelpAfterError(`fix: askd ${command.name} --help`);
  giveExamples(commander, command.examples);
  command.configure?.(commander);
  if (command.isPerAccount)
    commander.addOption(new Option('--account <name>', 'do it for this account').hideHelp());
  takeGlobalOptions(commander);
  commander.action(() => run(command, parsed(commander)));
}

/** The parent of `keys create`, `keys list` and so on. */
function family(program: Commander, name: string, commands: readonly Command[]): Commander {
  const existing = program.commands.find((each) => each.name() === name);
  if (existing) return existing;
  const { summary, group } = COMMAND_FAMILIES[name] ?? { summary: '', group: 'Help:' };
  const commander = program
    .command(name)
    .summary(summary)
    .description(summary)
    .helpGroup(group)
    .helpCommand(false);
  commander.showHelpAfterError(`fix: askd ${name} --help`);
  takeGlobalOptions(commander);
  const members = commands.filter((command) => command.name.startsWith(`${name} `));
  return giveExamples(
    commander,
    members.flatMap((command) => command.examples.slice(0, 1)),
  );
}

/** Each command owns its flags, before and after its name, so that one can redefine a flag (`askd serve --host`). */
function takeGlobalOptions(commander: Commander): void {
  commander.enablePositionalOptions();
  commander.addHelpOption(new Option('-h, --help', 'show this help').helpGroup(GLOBAL));
  for (const [flags, description] of GLOBAL_OPTIONS) {
    const option = new Option(flags, description).helpGroup(GLOBAL);
    const taken = commander.options.some((each) => each.long === option.long);
    if (!taken) commander.addOption(option);
  }
}

/** A flag may stand before or after the command's name; the one closest to the command wins. */
function parsed(commander: Commander): Parsed {
  const options: Record<string, unknown> = {};
  const given = new Set<string>();
  for (let each: Commander | null = commander; each !== null; each = each.parent) {
    for (const [name, value] of Object.entries(each.opts())) {
      const typed = each.getOptionValueSource(name) === 'cli';
      if (!(name in options) || (typed && !given.has(name))) options[name] = value;
      if (typed) given.add(name);
    }
  }
  return { args: commander.args, options: { ...options, ...globalOptions(options) }, commander };
}

function globalOptions({
  json,
  quiet,
  color,
  autostart,
  verbose,
  plain,
  input,
  host,
  keyFile,
  account,
}: Record<string, unknown>): GlobalOptions {
  return {
    json: json === true,
    quiet: quiet === true,
    color: color !== false,
    autostart: autostart !== false,
    verbose: verbose === true,
    plain: plain === true,
    input: input !== false,
    ...(typeof host === 'string' && { host }),
    ...(typeof keyFile === 'string' && { keyFile }),
    ...(typeof account === 'string' && { account }),
  };
}
