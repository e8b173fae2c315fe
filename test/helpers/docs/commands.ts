import { CommanderError } from 'commander';
import { loadAll } from '../../../cli/command-line/load-commands.ts';
import { buildProgram } from '../../../cli/command-line/program.ts';
import { createIo } from '../terminal/cli.ts';

/** A text may omit what a reader fills in, or ask for help. */
const ALLOWED = [
  'commander.missingArgument',
  'commander.optionMissingArgument',
  'commander.missingMandatoryOptionValue',
  'commander.helpDisplayed',
  'commander.version',
];
/** askd alone, the map of all commands, which is not parsed as one, and the beginning of a message. */
const NO_COMMANDS = ['', '--map=json', 'needs Node 20.19 or newer'];
const WORDS = /"([^"]*)"|'([^']*)'|(\S+)/g;

/** What askd would object to in each of these command lines, without running them. */
export async function mistakesIn(lines: readonly string[]): Promise<string[]> {
  const mistakes: string[] = [];
  for (const line of lines.flatMap(alternatives)) {
    const program = buildProgram(await loadAll(), createIo({}).io, () => Promise.resolve());
    const words = [...line.matchAll(WORDS)].map(
      ([, double, single, plain]) => double ?? single ?? plain ?? '',
    );
    try {
      await program.parseAsync(words, { from: 'user' });
    } catch (error) {
      if (!(error instanceof CommanderError)) throw error;
      if (!ALLOWED.includes(error.code)) mistakes.push(`askd ${line}: ${error.message}`);
    }
  }
  return mistakes;
}

/** The arguments of each `askd …` on a page, in a line of a block or in the text. */
export function commandsIn(markdown: string): string[] {
  const blocks = [...markdown.matchAll(/^```(?:sh|text)\n([^]*?)^```$/gm)]
    .map(([, code = '']) => code)
    .join('');
  const text = markdown.replaceAll(/^```[^]*?^```$|^#.*$/gm, '');
  const inline = text.matchAll(/`(?:\w+=\S+ )*(?:npx )?askd ([^`]+)`/g);
  const inBlocks = blocks.matchAll(/^(?:\w+=\S+ )*(?:npx )?askd(?: (.+))?$/gm);
  return [...inline, ...inBlocks]
    .map(([, line = '']) => withoutShell(line))
    .filter((line) => !NO_COMMANDS.includes(line));
}

/** Up to a comment, a pipe or a second command. */
function withoutShell(line: string): string {
  return (line.split(/(?:^| +)#| &&| \|(?= )| [<>] |\) /)[0] ?? '').trim();
}

/** `docs list|rm` is `docs list` and `docs rm`. */
function alternatives(line: string): string[] {
  const [before, choices, after] = line.split(/(\S+\|\S+)/);
  return choices === undefined ? [line] : choices.split('|').map((each) => `${before}${each}${after}`);
}
