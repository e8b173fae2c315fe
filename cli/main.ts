import { readEnvironment, type Environment } from '../src/config.ts';
import type { Command } from './command.ts';
import { createContext } from './context.ts';
import { reportFailure } from './failure-report.ts';
import { watchInterruptions } from './interruption.ts';
import { flush, paint, type Io } from './output.ts';
import { buildProgram, type Parsed } from './program.ts';
import { describeSurroundings } from './surroundings.ts';

export type MainOptions = { io?: Io; environment?: Environment };

/**
 * Runs one command line (without node and script) and resolves to its exit code. Nothing that goes wrong gets past
 * here: every failure becomes text on stderr and a number.
 */
export async function main(argv: readonly string[], options: MainOptions = {}): Promise<number> {
  const io = options.io ?? process;
  const environment = options.environment ?? readEnvironment();
  const interruptions = watchInterruptions(io);
  try {
    const work = run(argv, io, environment, interruptions.signal);
    const written = work.then(async (exitCode) => flush(io).then(() => exitCode));
    return await Promise.race([interruptions.pipeClosed, written]);
  } catch (thrown) {
    const reason: unknown = interruptions.signal.aborted ? interruptions.signal.reason : thrown;
    return report(reason, argv, io, environment);
  } finally {
    interruptions.stop();
    await flush(io);
  }
}

async function run(
  argv: readonly string[],
  io: Io,
  environment: Environment,
  signal: AbortSignal,
): Promise<number> {
  let exitCode = 0;
  const program = buildProgram(io, async (command: Command, parsed: Parsed) => {
    const { options } = parsed;
    const context = createContext(describeSurroundings({ io, environment, options, signal }));
    exitCode = (await command.run(context, parsed)) ?? 0;
  });
  if (argv.length === 0 && io.stdout.isTTY) return (program.outputHelp(), 0);
  await program.parseAsync([...argv], { from: 'user' });
  return exitCode;
}

function report(thrown: unknown, argv: readonly string[], { stderr }: Io, { noColor }: Environment): number {
  const has = (...flags: string[]) => flags.some((flag) => argv.includes(flag));
  const { exitCode, lines } = reportFailure(thrown, { verbose: has('--verbose', '-v') });
  const plain = noColor || has('--no-color');
  const label = plain ? 'error:' : paint(stderr, 'red', 'error:');
  for (const line of lines) stderr.write(`${line.replace(/^error:/, label)}\n`);
  return exitCode;
}
