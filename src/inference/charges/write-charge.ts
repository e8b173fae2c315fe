import type { KeyUse } from '../../limits/key-budgets.ts';
import type { DeferredWrites } from '../../store/deferred-writes.ts';
import type { Store } from '../../store/store.ts';
import type { createCommits } from './commits.ts';

type Parts = { store: Store; deferred: DeferredWrites; commits: ReturnType<typeof createCommits> };

type Writing = {
  requestId: string;
  /** In a transaction. */
  settle: () => void;
  recorded: KeyUse;
  /** Gives back what was reserved, for what is recorded if it is. Returns what reserves it again. */
  release: (recorded?: KeyUse) => () => void;
};

/** Commits a charge, alone and later where the disk is full. */
export async function writeCharge(
  { store, deferred, commits }: Parts,
  { requestId, settle, recorded, release }: Writing,
): Promise<void> {
  try {
    await deferred.writeGrouped(`the charge of ${requestId}`, { first: firstTry, again: alone });
  } catch (error) {
    release();
    throw error;
  }

  /** What is written counts from then on, even before it is committed, so what was reserved for it does not. */
  async function firstTry(): Promise<void> {
    let takeBack: (() => void) | undefined;
    try {
      await commits.write(() => {
        settle();
        takeBack = release(recorded);
      });
    } catch (error) {
      takeBack?.();
      throw error;
    }
  }

  function alone(): void {
    store.relaxedTransaction(settle);
    release(recorded);
  }
}
