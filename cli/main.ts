import { readEnvironment, type Environment } from '../src/config.ts';
import type { Command } from './command.ts';
import { createContext } from './context.ts';
import { reportFailure } from './failure-report.ts';
import { watchInterruptions } from './interruption.ts';
import { flush, type Io } from './output.ts';
import { buildProgram, type Parsed } from './program.ts';
import { describeSurroundings } from './surroundings.ts';

export type MainOptions = { io?: Io; environment?: Environment };

/**
 * Runs one command line (without node and script) and resolves to its exit code. Nothing that goes wrong gets past
 * here: every failure becomes text on stderr and a number.
 */
export async function main(argv: readonly string[], options: MainOptions = {}): Promise<number> {
  const io = options.io ?? process;
  const interruptions = watchInterruptions(io);
  try {
    const work = run(argv, io, options.environment ?? readEnvironment(), interruptions.signal);
    return await Promise.race([work, interruptions.pipeClosed]);
  } catch (thrown) {
    return report(interruptions.signal.aborted ? interruptions.signal.reason : thrown, argv, io);
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

function report(thrown: unknown, argv: readonly string[], io: Io): number {
  const verbose = argv.includes('--verbose') || argv.includes('-v');
  const { exitCode, lines } = reportFailure(thrown, { verbose });
  for (const line of lines) io.stderr.write(`${line}\n`);
  return exitCode;
}
