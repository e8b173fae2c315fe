import type { Command as Commander, Option } from 'commander';
import { version } from '../../src/base/version.ts';
import { examplesOf } from './examples.ts';
import { EXIT_CODES } from '../exit-codes.ts';
import { ENVIRONMENT, FILES } from './tables.ts';
import { GLOBAL } from '../command-line/global-options.ts';

/** The manual in roff, generated from the command list: `askd help man | man -l -`. */
export function manPage(program: Commander): string {
  return [
    `.TH ASKD 1 "" "askd ${version}" "User Commands"`,
    section('NAME', [`askd \\- ${escape('a local model server, and its command line')}`]),
    section('SYNOPSIS', ['.B askd', '.RI [ command ]', '.RI [ options ]']),
    section('DESCRIPTION', [escape(program.description()), '.PP', escape(ABOUT)]),
    section(
      'COMMANDS',
      leaves(program).flatMap(([name, commander]) => commandLines(commander, name)),
    ),
    section('GLOBAL OPTIONS', optionsOf(program, true)),
    section('EXIT STATUS', entries(Object.entries(EXIT_CODES))),
    section('ENVIRONMENT', entries(ENVIRONMENT)),
    section('FILES', entries(FILES)),
    section('SEE ALSO', [
      escape('askd help TOPIC prints the pages exit-codes, environment, formatting and others.'),
    ]),
  ].join('\n');
}

const ABOUT =
  'The first command that needs the daemon starts it. Data goes to stdout, everything else to stderr; with ' +
  '--json every command prints one document, or one line of JSON per event.';

/** Every runnable command, as it is typed. */
function leaves(commander: Commander, words: readonly string[] = []): [name: string, commander: Commander][] {
  const name = words.join(' ');
  const below = commander.commands.flatMap((each) => leaves(each, [...words, each.name()]));
  const isFamily = commander.commands.length > 0 && commander.registeredArguments.length === 0;
  return words.length === 0 || isFamily ? below : [[name, commander], ...below];
}

function section(title: string, lines: readonly string[]): string {
  return [`.SH ${title}`, ...lines].join('\n');
}

function commandLines(commander: Commander, name: string): string[] {
  const words = commander.registeredArguments.map((each) => {
    const word = each.variadic ? `${each.name()}...` : each.name();
    return each.required ? `<${word}>` : `[${word}]`;
  });
  const aliases = commander.aliases();
  return [
    `.SS "${escape(['askd', name, ...words].join(' '))}"`,
    ...commander
      .description()
      .split('\n\n')
      .flatMap((text, index) => (index === 0 ? [escape(sentence(text))] : ['.PP', escape(text)])),
    ...(aliases.length === 0 ? [] : ['.PP', escape(`Also: ${aliases.join(', ')}.`)]),
    ...entries(commander.registeredArguments.map((each) => [each.name(), each.description] as const)),
    ...optionsOf(commander, false),
    '.PP',
    ...examplesOf(commander).flatMap((example) => ['.nf', `.RS 4`, escape(`$ ${example}`), '.RE', '.fi']),
  ];
}

function optionsOf(commander: Commander, areGlobal: boolean): string[] {
  const help = commander.createHelp();
  const options = help
    .visibleOptions(commander)
    .filter((each) => (each.helpGroupHeading === GLOBAL) === areGlobal);
  return entries(options.map((each: Option) => [each.flags, help.optionDescription(each)] as const));
}

function entries(pairs: readonly (readonly [name: string, text: string])[]): string[] {
  return pairs.flatMap(([name, text]) => ['.TP', `.B ${escape(name)}`, escape(text)]);
}

/** `the models that are here` as a sentence. */
function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? '' : '.');
}

/** Escapes text so that no line is a roff request, and dashes can be copied. */
function escape(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('"', '\\(dq')
    .replaceAll("'", '\\(aq')
    .replaceAll('…', '...')
    .replace(/^\./gm, '\\&.');
}
