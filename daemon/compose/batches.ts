import { createPrincipalOf } from '../../src/access/principal-of.ts';
import type { Clock } from '../../src/base/clock.ts';
import type { Settings } from '../../src/config/config.ts';
import type { Events } from '../../src/events/events.ts';
import type { Library } from '../../src/library/library.ts';
import type { Log } from '../../src/log/log.ts';
import { createBatches } from '../../src/responses/batches/batches.ts';
import { createResults } from '../../src/responses/batches/results.ts';
import { createBatchWorker } from '../../src/responses/batches/worker.ts';
import type { Files } from '../../src/responses/files.ts';
import { createLongTimer } from '../../src/runtime/long-timer.ts';
import type { DeferredWrites } from '../../src/store/deferred-writes.ts';
import type { Store } from '../../src/store/store.ts';
import { createBatchLines } from '../http/batch-lines.ts';

type Parts = {
  settings: Settings;
  store: Store;
  deferred: DeferredWrites;
  events: Events;
  clock: Clock;
  log: Log;
  files: Files;
  library: Library;
};

/** Batches, and the worker that processes them. */
export function composeBatches({ settings, files, library, ...base }: Parts) {
  const batches = createBatches({ ...base, files });
  const batchLines = createBatchLines({ principalOf: createPrincipalOf(base) });
  const batchResults = createResults({ ...base, files, folder: settings.paths.uploads });
  const batchWorker = createBatchWorker({
    ...base,
    batches,
    results: batchResults,
    send: batchLines.send,
    openTimer: (ring) => createLongTimer({ clock: base.clock, ring }),
    pathOf: (id) => files.pathOf(id),
    checkModel: (model) => void library.resolve(library.firstRunnable(model) ?? model),
  });
  return { batches, batchResults, batchLines, batchWorker };
}
