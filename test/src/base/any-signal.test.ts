import { expect, test } from 'vitest';
import { anySignal } from '../../../src/base/any-signal.ts';
import { collectGarbage } from '../../helpers/collect-garbage.ts';

const aborted = (signal: AbortSignal) =>
  new Promise<unknown>((resolve) => signal.addEventListener('abort', () => resolve(signal.reason)));

test('aborts with the reason of whichever comes first', async () => {
  const [first, second] = [new AbortController(), new AbortController()];
  const signal = anySignal(first.signal, second.signal);
  const reason = aborted(signal);
  second.abort('second');
  first.abort('first');
  expect(await reason).toBe('second');
  expect(anySignal(first.signal, new AbortController().signal).reason).toBe('first');
});

test('keeps a deadline alive that nobody else holds, even through another signal', async () => {
  const reason = aborted(anySignal(anySignal(new AbortController().signal, AbortSignal.timeout(100))));
  await collectGarbage();
  expect(await reason).toMatchObject({ name: 'TimeoutError' });
});

test('aborts even after its source is gone', async () => {
  const signal = (() => {
    const controller = new AbortController();
    const either = anySignal(controller.signal, new AbortController().signal);
    controller.abort('left');
    return either;
  })();
  await collectGarbage();
  expect(signal.reason).toBe('left');
});

test('is itself collected when nothing waits for it, however long its sources live', async () => {
  const daemon = new AbortController();
  const held = (() => new WeakRef(anySignal(daemon.signal, AbortSignal.timeout(60_000))))();
  await collectGarbage();
  expect(held.deref()).toBeUndefined();
});
