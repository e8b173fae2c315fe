import type { DeferredWrites } from '../../store/deferred-writes.ts';
import type { Store } from '../../store/store.ts';

type Parts = { store: Store; deferred: DeferredWrites };

type Writing = {
  requestId: string;
  /** In a transaction. */
  settle: () => void;
  /** Gives back what was reserved, with or without what was used instead. Returns what reserves it again. */
  release: (isRecorded: boolean) => () => void;
};

/** Commits a charge with those of other requests, or alone and later where the disk is full. */
export async function writeCharge(
  { store, deferred }: Parts,
  { requestId, settle, release }: Writing,
): Promise<void> {
  try {
    await deferred.writeGrouped(`the charge of ${requestId}`, { first: inGroup, again: alone });
  } catch (error) {
    release(false);
    throw error;
  }

  /** What is written counts from then on, even before it is committed, so what was reserved for it does not. */
  async function inGroup(): Promise<void> {
    let takeBack: (() => void) | undefined;
    try {
      await store.groupedTransaction(() => {
        settle();
        takeBack = release(true);
      });
    } catch (error) {
      takeBack?.();
      throw error;
    }
  }

  function alone(): void {
    store.relaxedTransaction(settle);
    release(true);
  }
}
