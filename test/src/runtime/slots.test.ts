import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSlots } from '../../../src/runtime/slots.ts';

const never = new AbortController().signal;

describe('slots', () => {
  test('are handed out in the order of the requests', async () => {
    const slots = createSlots({ slots: 1, queueMax: 10, name: 'm' });
    const order: number[] = [];
    await slots.take(never);
    const waiting = [1, 2, 3].map(async (number) => {
      await slots.take(never);
      order.push(number);
      slots.release();
    });
    slots.release();
    await Promise.all(waiting);
    expect(order).toEqual([1, 2, 3]);
    expect(slots.busy).toBe(0);
  });

  test('refuse requests when the queue is full', async () => {
    const slots = createSlots({ slots: 1, queueMax: 1, name: 'm' });
    await slots.take(never);
    const waiting = slots.take(never);
    expect(() => slots.take(never)).toThrow(expect.objectContaining({ code: 'queue_full' }));
    slots.release();
    await waiting;
    slots.release();
  });

  test('forget a request that leaves the queue', async () => {
    const slots = createSlots({ slots: 1, queueMax: 5, name: 'm' });
    await slots.take(never);
    const impatient = new AbortController();
    const gone = slots.take(impatient.signal);
    const patient = slots.take(never);
    impatient.abort(new Error('left'));
    await expect(gone).rejects.toThrow('left');
    expect(slots.queued).toBe(1);
    slots.release();
    await patient;
    expect(slots.busy).toBe(1);
  });

  test('are never handed out beyond their number nor lost, whatever the order of events', async () => {
    const step = fc.oneof(fc.constant('take'), fc.constant('release'), fc.constant('leave'));
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.array(step, { maxLength: 60 }),
        async (count, steps) => {
          const slots = createSlots({ slots: count, queueMax: 5, name: 'm' });
          const waiting: AbortController[] = [];
          let held = 0;
          for (const step of steps) {
            if (step === 'take') ask();
            if (step === 'release' && held > 0) give();
            if (step === 'leave') waiting.shift()?.abort(new Error('left'));
            await settled();
            expect(slots.busy).toBe(held);
            expect(held).toBeLessThanOrEqual(count);
            expect(slots.queued === 0 || held === count).toBe(true);
          }
          while (held > 0 || slots.queued > 0) {
            give();
            await settled();
          }
          expect(slots.busy).toBe(0);
          await slots.idle();

          function ask(): void {
            const controller = new AbortController();
            try {
              const taken = slots.take(controller.signal);
              if (!taken) return void (held += 1);
              waiting.push(controller);
              taken.then(
                () => void ((held += 1), waiting.splice(waiting.indexOf(controller), 1)),
                () => undefined,
              );
            } catch {
              expect(slots.queued).toBe(5);
            }
          }

          function give(): void {
            held -= 1;
            slots.release();
          }
        },
      ),
    );
  });
});

test('fewer slots evict nobody, and more let waiting requests in', async () => {
  const signal = new AbortController().signal;
  const slots = createSlots({ slots: 2, queueMax: 4, name: 'm' });
  await slots.take(signal);
  await slots.take(signal);
  slots.resize(1);
  let entered = 0;
  for (let count = 0; count < 2; count++) void Promise.resolve(slots.take(signal)).then(() => (entered += 1));
  slots.release();
  await settled();
  expect([slots.slots, slots.busy, slots.queued, entered]).toEqual([1, 1, 2, 0]);
  slots.release();
  await settled();
  expect([slots.busy, slots.queued, entered]).toEqual([1, 1, 1]);
  slots.resize(3);
  await settled();
  expect([slots.busy, slots.queued, entered]).toEqual([2, 0, 2]);
});

async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await Promise.resolve();
}
