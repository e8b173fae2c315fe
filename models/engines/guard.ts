import { Failure } from '../../src/base/errors.ts';
import type { Session } from '../../src/runtime/engine.ts';
import { STREAMING_METHODS } from '../../src/runtime/wire.ts';

type Run = (request: unknown, signal: AbortSignal) => AsyncIterable<unknown>;

/** Rejects new work on a session that is closing. */
export function guardMethods(methods: Partial<Session>, isOpen: () => boolean): Partial<Session> {
  const guarded = STREAMING_METHODS.flatMap((name) => {
    const run = methods[name] as Run | undefined;
    return run ? [[name, guard(run, isOpen)] as const] : [];
  });
  return { ...methods, ...(Object.fromEntries(guarded) as Partial<Session>) };
}

function guard(run: Run, isOpen: () => boolean): Run {
  return async function* (request, signal) {
    if (!isOpen()) throw new Failure('shutting_down', 'This model is being unloaded.');
    yield* run(request, signal);
  };
}
