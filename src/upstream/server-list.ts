import type { ServerState } from './servers.ts';

export type ServerList = ReturnType<typeof createServerList>;

/** The servers of all upstream models in use, for monitoring. */
export function createServerList() {
  const reads = new Map<string, () => ServerState[]>();
  return {
    /** Returns a function that removes them again. */
    add(model: string, read: () => ServerState[]): () => void {
      reads.set(model, read);
      return () => {
        if (reads.get(model) === read) reads.delete(model);
      };
    },
    all: () => [...reads].flatMap(([model, read]) => read().map((state) => ({ model, ...state }))),
  };
}
