import type { Plan } from '../pull/plan.ts';
import type { TransferNews } from './start-transfer.ts';

const RATE_WINDOW_MS = 5_000;

export type Progress = ReturnType<typeof createProgress>;

/** Bytes and speed of a download, which may start with some bytes, for everyone who waits for changes. */
export function createProgress({ files }: Plan, before: readonly number[], now: () => number) {
  let received = files.map((_, index) => before[index] ?? 0);
  let verified = files.map(() => 0);
  let waiting: { untilMs: number; reason: string } | undefined;
  let samples: { at: number; bytes: number }[] = [];
  let listeners: (() => void)[] = [];

  function notify(): void {
    const notified = listeners;
    listeners = [];
    for (const listener of notified) listener();
  }

  function sample(): void {
    const at = now();
    samples = [...samples.filter((each) => at - each.at <= RATE_WINDOW_MS), { at, bytes: sum(received) }];
  }

  return {
    note: (news: TransferNews): void => {
      if (news.type === 'waiting') waiting = { untilMs: news.untilMs, reason: news.reason };
      if (news.type === 'restarted') samples = [];
      if (news.type === 'progress') {
        ({ received, verified } = news);
        waiting = undefined;
        sample();
      }
      notify();
    },
    /** Wakes everyone who is waiting, even for news that is not about bytes. */
    notify,
    change: (): Promise<void> => new Promise((resolve) => listeners.push(resolve)),
    received: () => received,
    verified: () => verified,
    waiting: () => (waiting && waiting.untilMs > now() ? waiting : undefined),
    bytesPerSecond(): number | undefined {
      const [first] = samples;
      const last = samples.at(-1);
      if (first === undefined || last === undefined || last.at - first.at < 200) return undefined;
      return ((last.bytes - first.bytes) / (last.at - first.at)) * 1000;
    },
  };
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
