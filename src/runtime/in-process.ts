import type { Session } from './engine.ts';
import type { Runner } from './runner.ts';

/** Wraps a session in this process as a runner, for models whose work is done elsewhere. */
export function asRunner(session: Session): Runner {
  let alive = true;
  let end!: () => void;
  const exited = new Promise<void>((resolve) => (end = resolve)).then(() => ({
    code: 0,
    signal: undefined,
    lastWords: '',
  }));
  return {
    ...session,
    pid: 0,
    sandbox: null,
    memoryBytes: 0,
    exited,
    get alive() {
      return alive;
    },
    async [Symbol.asyncDispose]() {
      alive = false;
      await session[Symbol.asyncDispose]();
      end();
    },
  };
}
