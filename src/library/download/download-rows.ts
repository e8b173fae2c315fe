import type { Clock } from '../../base/clock.ts';
import { isFailureCode, toFailure, type FailureCode } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import type { Store } from '../../store/store.ts';
import { servicesOf, type Plan } from '../pull/plan.ts';

export type DownloadState = 'queued' | 'downloading' | 'paused' | 'done' | 'failed' | 'cancelled';
export type DownloadError = { code: FailureCode; message: string };

export type DownloadRow = {
  id: string;
  plan: Plan;
  state: DownloadState;
  error: DownloadError | null;
  createdAt: number;
};

type RawRow = { id: string; plan: string; state: DownloadState; failure: string | null; created_at: number };

const KEPT_MAX = 50;
/** Not ended: these downloads hold incomplete files. */
const OPEN = `state IN ('queued', 'downloading', 'paused')`;

/** The downloads and how they ended. The progress of each is in a journal beside its file. */
export function createDownloadRows({ store, clock }: { store: Store; clock: Clock }) {
  const select = (where: string) => store.prepare<RawRow>(`SELECT * FROM downloads ${where}`);

  return {
    list: (): DownloadRow[] => select('ORDER BY created_at DESC, rowid DESC').all().map(read),
    find: (id: string): DownloadRow | undefined => select('WHERE id = ?').all(id).map(read)[0],
    open: (artifactId: string): DownloadRow | undefined =>
      select(`WHERE artifact_id = ? AND ${OPEN}`).all(artifactId).map(read)[0],
    /** Downloads that continue by themselves, unlike paused ones. */
    coming: (): DownloadRow[] =>
      select(`WHERE state IN ('queued', 'downloading') ORDER BY created_at, rowid`).all().map(read),
    nextQueued: (): DownloadRow | undefined =>
      select(`WHERE state = 'queued' ORDER BY created_at, rowid LIMIT 1`).all().map(read)[0],

    add(plan: Plan): string {
      const now = clock.now();
      const id = newId('dl', now);
      store
        .prepare(
          `INSERT INTO downloads(id, artifact_id, plan, state, created_at, updated_at)
           VALUES(?, ?, ?, 'queued', ?, ?)`,
        )
        .run(id, plan.manifest.id, JSON.stringify(plan), now, now);
      store
        .prepare(
          `DELETE FROM downloads WHERE NOT (${OPEN})
           AND id NOT IN (SELECT id FROM downloads ORDER BY created_at DESC LIMIT ${KEPT_MAX})`,
        )
        .run();
      return id;
    },

    set(id: string, state: DownloadState, failure?: unknown): void {
      const error = failure === undefined ? null : JSON.stringify(errorOf(failure));
      store
        .prepare('UPDATE downloads SET state = ?, failure = ?, updated_at = ? WHERE id = ?')
        .run(state, error, clock.now(), id);
    },

    addService({ id, plan }: DownloadRow, service: string | undefined): void {
      if (service === undefined || servicesOf(plan).includes(service)) return;
      const changed: Plan = { ...plan, alsoFor: [...(plan.alsoFor ?? []), service] };
      store.prepare('UPDATE downloads SET plan = ? WHERE id = ?').run(JSON.stringify(changed), id);
    },

    /** Downloads that an earlier daemon left running continue where they were. */
    requeue(): void {
      store.prepare(`UPDATE downloads SET state = 'queued' WHERE state = 'downloading'`).run();
    },
  };
}

function read({ id, plan, state, failure, created_at: createdAt }: RawRow): DownloadRow {
  const error = failure === null ? null : (JSON.parse(failure) as DownloadError);
  return { id, plan: JSON.parse(plan) as Plan, state, error, createdAt };
}

function errorOf(thrown: unknown): DownloadError {
  const { code, message } = toFailure(thrown);
  return { code: isFailureCode(code) ? code : 'internal_error', message };
}
