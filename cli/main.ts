import { readEnvironment, type Environment } from '../src/config/environment.ts';
import { COMPLETE, type Command } from './command.ts';
import { commandsFor, loadAll } from './command-line/load-commands.ts';
import { namesCommand, withoutHelp } from './command-line/unknown-command.ts';
import { createContext, type Context } from './context.ts';
import { reportFailure } from './output/failure-report.ts';
import { translateAliases } from './command-line/aliases.ts';
import { watchInterruptions } from './prompt/interruption.ts';
import { flush, paint, type Io } from './output/output.ts';
import { buildProgram, type Parsed } from './command-line/program.ts';
import { DEFAULT_OPTIONS, describeCliEnvironment } from './environment.ts';

export type MainOptions = { io?: Io; environment?: Environment };

/**
 * Runs one command line (without node and script) and resolves to its exit code. No error escapes: every failure
 * becomes text on stderr and a number.
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
  if (argv[0] === COMPLETE) return complete(argv.slice(1), { io, environment, signal });
  const typed = translateAliases(argv);
  const program = buildProgram(await commandsFor(typed), io, async (command: Command, parsed: Parsed) => {
    const { options } = parsed;
    const keyed = await withKey(environment, options.keyFile);
    const context = createContext(describeCliEnvironment({ io, environment: keyed, options, signal }));
    exitCode = (await carryOut(command, parsed, context)) ?? 0;
  });
  if (argv[0] === '--map' || argv[0] === '--map=json') return writeMap(program, io);
  if (argv.length === 0 && io.stdin.isTTY && io.stdout.isTTY)
    return welcome(program, { io, environment, signal });
  await program.parseAsync(namesCommand(program, typed) ? typed : withoutHelp(typed), { from: 'user' });
  return exitCode;
}

async function carryOut(command: Command, parsed: Parsed, context: Context): Promise<number | void> {
  const run = async () => command.run(context, parsed);
  try {
    return await run();
  } catch (error) {
    const { fixAndRetry } = await import('./prompt/fixes/offer-fix.ts');
    return fixAndRetry(error, { name: command.name, run }, context);
  }
}

async function withKey(environment: Environment, file: string | undefined): Promise<Environment> {
  if (file === undefined) return environment;
  const { readKeyFile } = await import('./client/key-file.ts');
  return { ...environment, apiKey: readKeyFile(file) };
}

type Start = { io: Io; environment: Environment; signal: AbortSignal };

/** askd without arguments on a terminal: a guided start the first time, help later. */
async function welcome(program: ReturnType<typeof buildProgram>, start: Start): Promise<number> {
  const context = createContext(describeCliEnvironment({ ...start, options: DEFAULT_OPTIONS }));
  const { guide, isFirstRun } = await import('./models/first-run.ts');
  if (start.environment.isCi || !isFirstRun(context)) program.outputHelp();
  else if (await guide(context)) await program.parseAsync(['chat'], { from: 'user' });
  return 0;
}

async function writeMap(program: ReturnType<typeof buildProgram>, { stdout }: Io): Promise<number> {
  const { commandMap } = await import('./help/command-map.ts');
  stdout.write(`${JSON.stringify(commandMap(program), null, 2)}\n`);
  return 0;
}

/** Completion for the shell: one name per line. */
async function complete(words: readonly string[], start: Start): Promise<number> {
  const context = createContext(
    describeCliEnvironment({ ...start, options: { ...DEFAULT_OPTIONS, quiet: true } }),
  );
  const { candidates } = await import('./completion/candidates.ts');
  const found = await candidates(
    buildProgram(await loadAll(), start.io, async () => undefined),
    words,
    context,
  );
  start.io.stdout.write(found.map((each) => `${each}\n`).join(''));
  return 0;
}

function report(thrown: unknown, argv: readonly string[], { stderr }: Io, { noColor }: Environment): number {
  const has = (...flags: string[]) => flags.some((flag) => argv.includes(flag));
  const { exitCode, lines } = reportFailure(thrown, { verbose: has('--verbose', '-v') });
  const plain = noColor || has('--no-color');
  const label = plain ? 'error:' : paint(stderr, 'red', 'error:');
  for (const line of lines) stderr.write(`${line.replace(/^error:/, label)}\n`);
  return exitCode;
}
