import { PassThrough, Writable } from 'node:stream';
import { main } from '../../../cli/main.ts';
import type { Io } from '../../../cli/output/output.ts';
import { readEnvironment } from '../../../src/config/config.ts';
import { homePaths } from '../../../src/base/paths.ts';
import { writePresence } from '../../../src/base/presence.ts';
import { version } from '../../../src/base/version.ts';
import type { TestDaemon } from '../daemon/daemon.ts';
import { temporaryFolder } from '../temporary.ts';

export type CliOptions = {
  home?: string;
  env?: Record<string, string | undefined>;
  /** What is piped in. Without it stdin is an empty pipe. */
  input?: string;
  /** Makes all three streams terminals of 80 columns. */
  terminal?: boolean;
};

/** Runs one command line in this process, with its own streams. */
export async function runCli(args: readonly string[], options: CliOptions = {}) {
  const { io, written } = createIo(options);
  io.stdin.push(options.input ?? '');
  io.stdin.push(null);
  const code = await main(args, { io, environment: environmentOf(options) });
  return { code, ...written() };
}

/** The same on a terminal with typed input, while it is running. */
export function startCli(args: readonly string[], options: CliOptions = {}) {
  const { io, modes, written } = createIo({ terminal: true, ...options });
  if (options.input !== undefined) io.stdin.end(options.input);
  const exit = main(args, { io, environment: environmentOf(options) });
  const type = (keys: string) => void io.stdin.push(keys);
  /** `modes`: each time the terminal was made raw (true) or not. */
  return { exit, type, modes, screen: () => written().stdout, written };
}

export function createIo({ terminal = false }: CliOptions) {
  const stdout = createSink(terminal);
  const stderr = createSink(terminal);
  const modes: boolean[] = [];
  const setRawMode = (isRaw: boolean) => void modes.push(isRaw);
  const stdin = Object.assign(new PassThrough(), { isTTY: terminal, ...(terminal && { setRawMode }) });
  const io = { stdin, stdout: stdout.stream, stderr: stderr.stream } satisfies Io;
  return { io, modes, written: () => ({ stdout: stdout.text(), stderr: stderr.text() }) };
}

function createSink(terminal: boolean) {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  return {
    stream: Object.assign(stream, { isTTY: terminal, ...(terminal && { columns: 80 }) }),
    text: () => Buffer.concat(chunks).toString('utf8'),
  };
}

function environmentOf({ home, env }: CliOptions) {
  return readEnvironment({ ASKD_HOME: home ?? temporaryFolder(), ASKD_PORT: '0', ...env });
}

/** Lets the command line find a daemon that runs in this process. */
export function announce(
  { home, port, services }: Pick<TestDaemon, 'home' | 'port'> & Partial<Pick<TestDaemon, 'services'>>,
  presence: { version?: string; certificate?: string } = {},
): void {
  writePresence(homePaths(home).presence, {
    pid: process.pid,
    host: '127.0.0.1',
    port,
    version,
    boot_id: services?.boot.id ?? 'boot',
    started_at: new Date().toISOString(),
    ...presence,
  });
}
