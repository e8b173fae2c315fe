const sourcesOf = new WeakMap<AbortSignal, readonly AbortSignal[]>();

/**
 * Aborts when the first of these does. Node's own AbortSignal.any() holds its sources weakly, so garbage collection
 * can lose a deadline that nobody else references; here the waiting side holds what it waits for.
 */
export function anySignal(...sources: AbortSignal[]): AbortSignal {
  const signal = AbortSignal.any(sources);
  sourcesOf.set(signal, sources);
  return signal;
}
