import type { Io } from '../output/output.ts';

/** Why a command was aborted. */
export class Interruption extends Error {
  readonly exitCode: number;

  constructor(reason: string, exitCode: number) {
    super(reason);
    this.name = 'Interruption';
    this.exitCode = exitCode;
  }
}

const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Turns signals and a closed stdout into an abort. The handlers are removed after the first signal, so that a second
 * Ctrl-C kills the process at once.
 */
export function watchInterruptions({ stdout, stderr }: Io) {
  const controller = new AbortController();
  let closePipe: (reason: Error) => void = () => undefined;
  const pipeClosed = new Promise<never>((_, reject) => (closePipe = reject));
  pipeClosed.catch(() => undefined);

  const onSignal = (signal: keyof typeof SIGNALS) => {
    unlisten();
    controller.abort(new Interruption(signal, SIGNALS[signal]));
  };
  const unlisten = () => {
    for (const signal of Object.keys(SIGNALS)) process.off(signal, onSignal);
  };
  const onStreamError = (error: NodeJS.ErrnoException) => {
    const reason = error.code === 'EPIPE' ? new Interruption('stdout closed', 0) : error;
    controller.abort(reason);
    closePipe(reason);
  };
  const ignore = () => undefined;

  for (const signal of Object.keys(SIGNALS)) process.on(signal, onSignal);
  stdout.on('error', onStreamError);
  stderr.on('error', ignore);
  return { signal: controller.signal, pipeClosed, stop: unlisten };
}
