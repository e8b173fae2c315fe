import type { Clock } from '../../base/clock.ts';
import type { Store } from '../../store/store.ts';
import type { Fact, PlacedFact, Source } from '../types.ts';

export type Facts = ReturnType<typeof createFacts>;

/** The facts that runs found, stored as they are found: an interrupted run keeps what it has. */
export function createFacts({ store, clock }: { store: Store; clock: Clock }) {
  function add(runId: string, { after, fact }: PlacedFact, place: number): void {
    const { source, page = null, line = null, heading = null, passage = null } = fact;
    const { n, kind, url, title, sha256 = null } = source;
    store.relaxedTransaction(() => {
      store.prepare(INSERT_SOURCE).run({ runId, n, kind, url, title, sha256, now: clock.now() });
      store
        .prepare(INSERT_FACT)
        .run({ runId, place, n, fact: fact.fact, quote: fact.quote, page, line, after, heading, passage });
    });
  }

  function of(runId: string): PlacedFact[] {
    return store.prepare<FactRow>(FACTS).all(runId).map(toPlacedFact);
  }

  return { add, of };
}

type FactRow = Pick<Source, 'n' | 'kind' | 'url' | 'title'> &
  Pick<Fact, 'fact' | 'quote'> & {
    page: number | null;
    line: number | null;
    heading: string | null;
    passage: string | null;
    after: number;
  };

function toPlacedFact({
  n,
  kind,
  url,
  title,
  page,
  line,
  heading,
  passage,
  after,
  ...said
}: FactRow): PlacedFact {
  const where = {
    ...(page !== null && { page }),
    ...(line !== null && { line }),
    ...(heading !== null && { heading }),
    ...(passage !== null && { passage }),
  };
  return { after, fact: { source: { n, kind, url, title }, ...said, ...where } };
}

const INSERT_SOURCE = `
  INSERT OR IGNORE INTO agent_sources(run_id, number, kind, url, title, sha256, read_at)
  VALUES(@runId, @n, @kind, @url, @title, @sha256, @now)`;

const INSERT_FACT = `
  INSERT INTO agent_facts(run_id, place, source_number, fact, quote, page, line, after_event, heading, passage)
  VALUES(@runId, @place, @n, @fact, @quote, @page, @line, @after, @heading, @passage)`;

const FACTS = `
  SELECT number AS n, kind, url, title, fact, quote, page, line, heading, passage, after_event AS after
  FROM agent_facts JOIN agent_sources ON agent_sources.run_id = agent_facts.run_id AND number = source_number
  WHERE agent_facts.run_id = ? ORDER BY place`;
