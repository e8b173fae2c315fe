import type { Command as Commander } from 'commander';
import { EXIT_CODES } from '../../cli/exit-codes.ts';
import { GLOBAL } from '../../cli/command-line/global-options.ts';
import { loadAll } from '../../cli/command-line/load-commands.ts';
import { buildProgram } from '../../cli/command-line/program.ts';
import { examplesOf } from '../../cli/help/examples.ts';
import { code, table } from './page.ts';

/** Every command as its own help describes it. */
export async function cliReference(): Promise<string> {
  const { stdin, stdout, stderr } = process;
  const program = buildProgram(await loadAll(), { stdin, stdout, stderr }, () => Promise.resolve());
  const groups = new Map<string, string[]>();
  for (const [name, commander] of leaves(program)) {
    const group = groupOf(commander).replace(/:$/, '');
    groups.set(group, [...(groups.get(group) ?? []), section(name, commander)]);
  }
  return [
    ...[...groups].map(([group, sections]) => [`## ${group}`, ...sections].join('\n\n')),
    `## Global options\n\n${optionsTable(program, true)}`,
    `## Exit codes\n\n${table(['Code', 'Meaning'], Object.entries(EXIT_CODES))}`,
  ].join('\n\n');
}

/** Every runnable command, as it is typed. */
function leaves(commander: Commander, words: readonly string[] = []): [name: string, commander: Commander][] {
  const below = commander.commands.flatMap((each) => leaves(each, [...words, each.name()]));
  const isFamily = commander.commands.length > 0 && commander.registeredArguments.length === 0;
  return words.length === 0 || isFamily ? below : [[words.join(' '), commander], ...below];
}

/** A command of a family is listed under the family's heading. */
function groupOf(commander: Commander): string {
  const { parent } = commander;
  return parent?.parent ? groupOf(parent) : commander.helpGroup();
}

function section(name: string, commander: Commander): string {
  const words = commander.registeredArguments.map((each) => {
    const word = each.variadic ? `${each.name()}...` : each.name();
    return each.required ? `<${word}>` : `[${word}]`;
  });
  const details = commander.description() || commander.summary();
  const examples = examplesOf(commander);
  return [
    `### ${code(['askd', name, ...words].join(' '))}`,
    details.split('\n\n').map(sentence).join('\n\n'),
    commander.aliases().length > 0 ? `Also: ${commander.aliases().map(code).join(', ')}.` : '',
    optionsTable(commander, false),
    examples.length > 0 ? ['```text', ...examples, '```'].join('\n') : '',
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function optionsTable(commander: Commander, areGlobal: boolean): string {
  const help = commander.createHelp();
  const options = help
    .visibleOptions(commander)
    .filter((each) => (each.helpGroupHeading === GLOBAL) === areGlobal && each.long !== '--help');
  if (options.length === 0) return '';
  return table(
    ['Option', 'Meaning'],
    options.map((each) => [code(each.flags), help.optionDescription(each)]),
  );
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? '' : '.');
}
