/** A command that is killed loses at most this much of a reply. */
const SAVE_MS = 1000;

/** Saves a reply while it arrives, one write at a time. */
export function createPartialSaves(save: () => Promise<void>) {
  let saving: Promise<void> | undefined;
  let savedAt = -Infinity;
  return {
    /** More has arrived. */
    arrived(): void {
      if (saving !== undefined || performance.now() - savedAt < SAVE_MS) return;
      savedAt = performance.now();
      saving = save().finally(() => (saving = undefined));
    },
    /** Waits for the write in progress. */
    settled: async (): Promise<void> => saving,
  };
}
