import { resolvePaths, type Environment } from '../src/config/environment.ts';
import { Readable } from 'node:stream';
import { createOutput, type Io } from './output/output.ts';

/** The flags of every command. */
export type GlobalOptions = {
  json: boolean;
  quiet: boolean;
  color: boolean;
  autostart: boolean;
  verbose: boolean;
  /** Tab-separated fields, for awk and cut. */
  plain: boolean;
  /** Whether prompts are allowed. */
  input: boolean;
  host?: string;
  /** Overrides the API key of the environment. */
  keyFile?: string;
  /** For the commands that accept it: the account whose keys, wallet or usage they are about. */
  account?: string;
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

/** The environment of a command: its streams, flags and home, and the signal that aborts it. */
export function describeCliEnvironment(parts: Parts) {
  const { io, environment, options } = parts;
  const color = options.color && !environment.noColor;
  return {
    ...parts,
    io: options.input ? io : withoutTyping(io),
    paths: resolvePaths(environment),
    output: createOutput(io, {
      json: options.json,
      quiet: options.quiet,
      plain: options.plain,
      color,
      links: environment.showsLinks,
    }),
  };
}

/** With --no-input, a terminal counts as non-interactive; piped input still counts. */
function withoutTyping(io: Io): Io {
  return io.stdin.isTTY ? { ...io, stdin: Object.assign(Readable.from([]), { isTTY: false }) } : io;
}
