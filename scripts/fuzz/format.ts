import type { Daemon, Reply } from './daemon.ts';
import type { Random } from './random.ts';

/** A format that askd reads from others, and how it receives such a file. */
export type Format = {
  name: string;
  /** Real files, as small as possible. */
  seeds: () => Promise<Buffer[]>;
  mutate: (seed: Buffer, random: Random, other: Buffer) => Buffer;
  open: (world: World) => Promise<Send>;
  /** How many may be sent at the same time: one if absent. */
  lanes?: number;
};

export type World = {
  daemon: Daemon;
  /** For files; deleted after the run. */
  folder: string;
};

export type Send = (file: Buffer) => Promise<Reply>;
