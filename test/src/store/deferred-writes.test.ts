import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createDeferredWrites } from '../../../src/store/deferred-writes.ts';

const noRoom = (code = 'SQLITE_FULL') => Object.assign(new Error('database or disk is full'), { code });

function withDisk() {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const written: string[] = [];
  const said: string[] = [];
  const record = (_: unknown, message: string) => void said.push(message);
  const disk: { refuses?: Error } = {};
  const deferred = createDeferredWrites({ log: { error: record, info: record } as never, retryMs: 1000 });
  const write = (what: string) =>
    deferred.write(what, () => {
      if (disk.refuses) throw disk.refuses;
      written.push(what);
    });
  return { deferred, write, written, said, disk };
}

describe('a write', () => {
  test('is done at once if there is room', () => {
    const { deferred, write, written } = withDisk();
    write('a');
    expect([written, deferred.count(), vi.getTimerCount()]).toEqual([['a'], 0, 0]);
  });

  test.each(['SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'ENOSPC'])(
    'that meets %s is done once, in order, when there is room again',
    (code) => {
      const { deferred, write, written, disk } = withDisk();
      disk.refuses = noRoom(code);
      write('a');
      write('b');
      vi.advanceTimersByTime(5000);
      expect([written, deferred.count()]).toEqual([[], 2]);
      delete disk.refuses;
      vi.advanceTimersByTime(1000);
      vi.advanceTimersByTime(5000);
      expect([written, deferred.count(), vi.getTimerCount()]).toEqual([['a', 'b'], 0, 0]);
    },
  );

  test('that fails for another reason is not retried', () => {
    const { deferred, write, disk } = withDisk();
    disk.refuses = new Error('no such table');
    expect(() => write('a')).toThrow('no such table');
    expect(deferred.count()).toBe(0);
  });

  test('that fails for another reason later is reported, and delays no other', () => {
    const { deferred, write, written, said, disk } = withDisk();
    disk.refuses = noRoom();
    let isBroken = false;
    deferred.write('broken', () => {
      if (!isBroken) throw noRoom();
      throw new Error('no such table');
    });
    write('a');
    isBroken = true;
    delete disk.refuses;
    vi.advanceTimersByTime(1000);
    expect(written).toEqual(['a']);
    expect(said).toContain('a delayed write failed for another reason than a full disk');
  });

  test('is retried once at the end, and what is then lost is reported', () => {
    const { deferred, write, written, said, disk } = withDisk();
    disk.refuses = noRoom();
    write('a');
    deferred.close();
    expect([written, said.at(-1)]).toEqual([[], 'the disk is full: a write was lost']);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('is refused if too many are already waiting', () => {
    const { deferred, write, disk } = withDisk();
    disk.refuses = noRoom();
    for (let count = 0; count < 1000; count++) write('a');
    expect(() => write('b')).toThrow('full');
    expect(deferred.count()).toBe(1000);
  });
});
