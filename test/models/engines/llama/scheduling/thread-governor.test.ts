import { expect, test, vi } from 'vitest';
import { createThreadGovernor } from '../../../../../models/engines/llama/scheduling/thread-governor.ts';

/** `doYield`: the others have a lower priority and get what is left. */
type Work = { others: number; ms: number; stolen?: number; doYield?: boolean };

/** A machine with some cores, of which other programs use a given number at each moment. */
function machineOf({ cores, threadsMax }: { cores: number; threadsMax: number }) {
  const load = { atMs: 0, cores, machineMs: 0, ownMs: 0, stolenMs: 0 };
  let threads = threadsMax;
  let changes = 0;
  const governor = createThreadGovernor({
    threadsMax,
    setThreads: (allowed) => {
      threads = allowed;
      changes++;
    },
    readLoad: () => ({ ...load }),
    now: () => load.atMs,
  });
  return {
    changes: () => changes,
    /** The threads in use after this many milliseconds beside others, sampled every 10 ms. */
    work({ others, ms, stolen = 0, doYield = false }: Work) {
      for (let passed = 0; passed < ms; passed += 10) {
        const own = Math.min(threads, doYield ? cores : cores - others) * 10;
        load.atMs += 10;
        load.machineMs += own + Math.min(others * 10, cores * 10 - own);
        load.ownMs += own;
        load.stolenMs += stolen * 10;
        governor.observe();
      }
      return threads;
    },
    pause(ms: number) {
      load.atMs += ms;
    },
    /** The model is idle for this long. */
    rest({ others, ms }: { others: number; ms: number }) {
      governor.rest();
      load.atMs += ms;
      load.machineMs += others * ms;
    },
  };
}

test('uses the calibrated threads while the machine is idle', () => {
  const machine = machineOf({ cores: 2, threadsMax: 2 });
  expect(machine.work({ others: 0.2, ms: 5000 })).toBe(2);
  expect(machine.changes()).toBe(0);
});

test('gives up a thread within a second of others needing its core, and takes it back', () => {
  const machine = machineOf({ cores: 2, threadsMax: 2 });
  machine.work({ others: 0, ms: 2000 });
  expect(machine.work({ others: 1, ms: 1100 })).toBe(1);
  expect(machine.work({ others: 0.1, ms: 1100 })).toBe(2);
});

test('keeps its threads beside programs that only use what is left', () => {
  const machine = machineOf({ cores: 2, threadsMax: 2 });
  expect(machine.work({ others: 2, doYield: true, ms: 5000 })).toBe(2);
  expect(machine.changes()).toBe(0);
});

test('takes a thread back from programs that only use what is left', () => {
  const machine = machineOf({ cores: 8, threadsMax: 8 });
  expect(machine.work({ others: 3, ms: 2000 })).toBe(5);
  expect(machine.work({ others: 8, doYield: true, ms: 8000 })).toBe(5);
  expect(machine.work({ others: 8, doYield: true, ms: 4000 })).toBe(8);
});

test('tries ever less often to take a thread back that others need', () => {
  const machine = machineOf({ cores: 2, threadsMax: 2 });
  machine.work({ others: 1, ms: 2000 });
  const triesIn = (ms: number) => {
    const before = machine.changes();
    machine.work({ others: 1, ms });
    return (machine.changes() - before) / 2;
  };
  expect(triesIn(100_000)).toBe(3);
  expect(triesIn(300_000)).toBe(2);
});

test('keeps its threads while the host gives the machine less time', () => {
  const machine = machineOf({ cores: 2, threadsMax: 2 });
  expect(machine.work({ others: 0.2, stolen: 1.2, ms: 5000 })).toBe(2);
  expect(machine.changes()).toBe(0);
});

test('keeps at least one thread and never takes more than calibration found', () => {
  const machine = machineOf({ cores: 16, threadsMax: 6 });
  expect(machine.work({ others: 16, ms: 2000 })).toBe(1);
  expect(machine.work({ others: 12, ms: 2000 })).toBe(4);
  expect(machine.work({ others: 0, ms: 2000 })).toBe(6);
});

test('does not mistake an idle period for the present', () => {
  const machine = machineOf({ cores: 2, threadsMax: 2 });
  machine.work({ others: 1, ms: 2000 });
  machine.pause(60_000);
  expect(machine.work({ others: 1, ms: 400 })).toBe(1);
  expect(machine.work({ others: 0, ms: 1100 })).toBe(2);
});

test('ignores what others use while the model is idle', () => {
  const machine = machineOf({ cores: 2, threadsMax: 2 });
  for (let request = 0; request < 10; request++) {
    expect(machine.work({ others: 0, ms: 300 })).toBe(2);
    machine.rest({ others: 2, ms: 1500 });
  }
});

test('has all its threads at once if others left the cores while the model was idle', () => {
  const machine = machineOf({ cores: 2, threadsMax: 2 });
  expect(machine.work({ others: 1, ms: 2000 })).toBe(1);
  machine.rest({ others: 1, ms: 3000 });
  expect(machine.work({ others: 1, ms: 10 })).toBe(1);
  machine.rest({ others: 0.1, ms: 3000 });
  expect(machine.work({ others: 0, ms: 10 })).toBe(2);
});

test('measures short requests together', () => {
  const machine = machineOf({ cores: 2, threadsMax: 2 });
  const requests = (others: number) => {
    for (let request = 0; request < 8; request++) {
      machine.work({ others, ms: 200 });
      machine.rest({ others, ms: 5000 });
    }
    return machine.work({ others, ms: 10 });
  };
  expect(requests(1)).toBe(1);
  expect(requests(0)).toBe(2);
});

test('is not misled by requests shorter than what the machine counts in', () => {
  const load = { atMs: 0, cores: 2, machineMs: 0, ownMs: 0, stolenMs: 0 };
  const setThreads = vi.fn();
  const readLoad = () => ({ ...load, machineMs: Math.floor(load.machineMs / 10) * 10 });
  const governor = createThreadGovernor({ threadsMax: 2, setThreads, readLoad, now: () => load.atMs });
  for (let request = 0; request < 500; request++) {
    governor.observe();
    load.atMs += 3;
    load.machineMs += 6;
    load.ownMs += 6;
    governor.observe();
    governor.rest();
  }
  expect(setThreads).not.toHaveBeenCalled();
});
