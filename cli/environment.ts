import { resolvePaths, type Environment } from '../src/config/config.ts';
import { Readable } from 'node:stream';
import { createOutput, type Io } from './output/output.ts';

/** The flags that every command takes. */
export type GlobalOptions = {
  json: boolean;
  quiet: boolean;
  color: boolean;
  autostart: boolean;
  verbose: boolean;
  /** Lines of fields with tabs between them, for awk and cut. */
  plain: boolean;
  /** Whether anything may be asked. */
  input: boolean;
  host?: string;
  /** Where the API key is, in place of the environment's. */
  keyFile?: string;
};

export const DEFAULT_OPTIONS: GlobalOptions = {
  json: false,
  quiet: false,
  color: true,
  autostart: true,
  verbose: false,
  plain: false,
  input: true,
};

export type CliEnvironment = ReturnType<typeof describeCliEnvironment>;

type Parts = { io: Io; environment: Environment; options: GlobalOptions; signal: AbortSignal };

/** Where a command runs: its streams, its flags, its home, and the signal that ends it early. */
export function describeCliEnvironment(parts: Parts) {
  const { io, environment, options } = parts;
  const color = options.color && !environment.noColor;
  return {
    ...parts,
    io: options.input ? io : withoutTyping(io),
    paths: resolvePaths(environment),
    output: createOutput(io, { json: options.json, quiet: options.quiet, plain: options.plain, color }),
  };
}

/** Under --no-input a terminal is one that nobody types on; what is piped in still counts. */
function withoutTyping(io: Io): Io {
  return io.stdin.isTTY ? { ...io, stdin: Object.assign(Readable.from([]), { isTTY: false }) } : io;
}
