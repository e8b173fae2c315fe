import { executionAsyncResource } from 'node:async_hooks';

const kept: object[] = [];

/**
 * Every `process.nextTick` makes an object of the same shape, and a request has eight of them. When none is alive while
 * the heap is cleaned, as at a start, V8 lets the shape go, takes the next one for another, and makes each such object
 * the slow way for good. One that stays keeps the shape.
 */
export function keepTickShape(): void {
  process.nextTick(() => kept.push(executionAsyncResource()));
}
