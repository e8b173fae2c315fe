import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFacts } from '../../../src/agent/runs/facts.ts';
import { MIGRATIONS } from '../../../src/store/migrations.ts';
import { openStore } from '../../../src/store/store.ts';
import { settableClock } from '../../helpers/clock.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

test('facts from an earlier askd keep their quotes, have no passage, and come before the last event', () => {
  const path = join(temporaryFolder(), 'askd.db');
  const before = MIGRATIONS.findIndex((sql) => sql.includes('ADD COLUMN passage'));
  const earlier = openStore(path, MIGRATIONS.slice(0, before));
  const run = (sql: string) => earlier.prepare(sql).run();
  run(`INSERT INTO agent_sessions VALUES('ses_1', 'acct_local', NULL, 'x', 'research', 1, 1)`);
  run(
    `INSERT INTO agent_runs(id, session_id, mode, model, query, status, max_cycles, started_at, ended_at)
     VALUES('run_1', 'ses_1', 'research', 'm', 'x', 'finished', 5, 1, 2)`,
  );
  for (const seq of [1, 2, 3]) run(`INSERT INTO agent_events VALUES('run_1', ${seq}, '{"seq":${seq}}')`);
  const urls = ['https://example.com/', 'file:///a.md', 'askd:calculate?1', 'askd:program/1'];
  for (const [n, url] of urls.entries()) {
    run(`INSERT INTO agent_sources VALUES('run_1', ${n}, '${url}', 'T', NULL, 1)`);
    run(`INSERT INTO agent_facts VALUES('run_1', ${n}, ${n}, 'F', 'Q', ${n === 1 ? 7 : 'NULL'})`);
  }
  earlier.close();

  const store = openStore(path);
  const facts = createFacts({ store, clock: settableClock() }).of('run_1');
  const kinds = ['web', 'document', 'calculation', 'program'] as const;
  expect(facts).toEqual(
    urls.map((url, n) => ({
      after: 2,
      fact: {
        source: { n, kind: kinds[n], url, title: 'T' },
        fact: 'F',
        quote: 'Q',
        ...(n === 1 && { page: 7 }),
      },
    })),
  );
  store.close();
});
