import type { Store } from '../store/store.ts';

const FLUSH_EVERY_MS = 60_000;

export type LastUses = ReturnType<typeof createLastUses>;

/** Collects uses of keys in memory and writes them in bulk, so that no request waits for a write. */
export function createLastUses({ store }: { store: Store }) {
  const notes = new Map<string, number>();
  const timer = setInterval(flush, FLUSH_EVERY_MS).unref();

  /** If the disk is full, uses stay in memory and are written with the next batch. */
  function flush(): void {
    if (notes.size === 0) return;
    try {
      store.transaction(() => {
        for (const [id, at] of notes) store.prepare(RECORD).run({ id, at });
      });
      notes.clear();
    } catch {
      return;
    }
  }

  return {
    note: (id: string, at: number) => void notes.set(id, at),
    of: (id: string) => notes.get(id),
    flush,
    close: (): void => {
      clearInterval(timer);
      flush();
    },
  };
}

const RECORD = `
  UPDATE api_keys SET last_used_at = @at WHERE id = @id AND (last_used_at IS NULL OR last_used_at < @at)`;
