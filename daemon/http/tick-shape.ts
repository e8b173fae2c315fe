import { executionAsyncResource } from 'node:async_hooks';

const kept: object[] = [];

/**
 * Every `process.nextTick` creates an object of the same hidden class, and a request creates eight. If none is alive
 * during a garbage collection, as at startup, V8 drops the class, treats the next one as a different class, and
 * creates each such object the slow way from then on. Keeping one alive keeps the class.
 */
export function keepTickShape(): void {
  process.nextTick(() => kept.push(executionAsyncResource()));
}
