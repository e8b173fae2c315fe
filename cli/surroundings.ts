import { resolvePaths, type Environment } from '../src/config.ts';
import { createOutput, type Io } from './output.ts';

/** The flags that every command takes. */
export type GlobalOptions = {
  json: boolean;
  quiet: boolean;
  color: boolean;
  autostart: boolean;
  verbose: boolean;
  host?: string;
};

export type Surroundings = ReturnType<typeof describeSurroundings>;

type Parts = { io: Io; environment: Environment; options: GlobalOptions; signal: AbortSignal };

/** Where a command runs: its streams, its flags, its home, and the signal that ends it early. */
export function describeSurroundings(parts: Parts) {
  const { io, environment, options } = parts;
  const color = options.color && !environment.noColor;
  return {
    ...parts,
    paths: resolvePaths(environment),
    output: createOutput(io, { json: options.json, quiet: options.quiet, color }),
  };
}
