import { executionAsyncResource } from 'node:async_hooks';

const kept: object[] = [];

/**
 * Every `process.nextTick` makes an object of the same hidden class, and a request makes eight. If none is alive
 * during a garbage collection, as at a start, V8 drops the class, takes the next one for a different one, and makes
 * each such object the slow way from then on. One that stays alive keeps the class.
 */
export function keepTickShape(): void {
  process.nextTick(() => kept.push(executionAsyncResource()));
}
