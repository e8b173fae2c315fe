import type { Clock } from '../../../base/clock.ts';
import type { Store } from '../../../store/store.ts';
import type { Passage } from '../extract/passages.ts';

export type Page = { url: string; finalUrl: string; title: string; passages: Passage[]; sha256: string };

const KEPT_MS = 15 * 60_000;

/** A cache of recently read pages. */
export function createPages({ store, clock }: { store: Store; clock: Clock }) {
  return {
    find(url: string): Page | undefined {
      const row = store
        .prepare<Omit<Page, 'passages'> & { passages: string }>(FIND)
        .get(url, clock.now() - KEPT_MS);
      return row && { ...row, passages: JSON.parse(row.passages) as Passage[] };
    },
    keep(page: Page): void {
      store.relaxedTransaction(() => {
        store.prepare('DELETE FROM agent_pages WHERE fetched_at < ?').run(clock.now() - KEPT_MS);
        store.prepare(KEEP).run({ ...page, passages: JSON.stringify(page.passages), now: clock.now() });
      });
    },
  };
}

const FIND = `
  SELECT url, final_url AS finalUrl, title, passages, sha256 FROM agent_pages WHERE url = ? AND fetched_at >= ?`;

const KEEP = `
  INSERT OR REPLACE INTO agent_pages(url, final_url, title, passages, sha256, fetched_at)
  VALUES(@url, @finalUrl, @title, @passages, @sha256, @now)`;
