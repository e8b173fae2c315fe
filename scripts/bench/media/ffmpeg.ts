import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

export type Ffmpeg = {
  /** Runs ffmpeg and returns the seconds its work took by its own clock, without its start. */
  time: (...words: readonly string[]) => Promise<number>;
  make: (...words: readonly string[]) => Promise<void>;
};

/** The reference for every codec; undefined if it is not installed. */
export async function findFfmpeg(): Promise<Ffmpeg | undefined> {
  const isThere = await run('ffmpeg', ['-version']).then(
    () => true,
    () => false,
  );
  if (!isThere) return undefined;
  const ffmpeg = (...words: readonly string[]) =>
    run('ffmpeg', ['-y', '-nostdin', '-hide_banner', '-threads', '1', ...words]);
  return {
    async time(...words) {
      const { stderr } = await ffmpeg('-benchmark', ...words);
      const seconds = /rtime=([\d.]+)s/.exec(stderr)?.[1];
      if (seconds === undefined) throw new Error('This ffmpeg does not say how long it took');
      return Number(seconds);
    },
    make: async (...words) => void (await ffmpeg('-loglevel', 'error', ...words)),
  };
}
