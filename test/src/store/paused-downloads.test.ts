import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MIGRATIONS } from '../../../src/store/migrations.ts';
import { openStore } from '../../../src/store/store.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

test('downloads of an earlier askd keep their order and states, and may now be paused', () => {
  const path = join(temporaryFolder(), 'askd.db');
  const earlier = openStore(
    path,
    MIGRATIONS.slice(
      0,
      MIGRATIONS.findIndex((sql) => sql.includes('downloads_with_pauses')),
    ),
  );
  const insert = `INSERT INTO downloads(id, artifact_id, plan, state, created_at, updated_at) VALUES(?, ?, '{}', ?, 5, 5)`;
  const rows = [
    ['z', 'one', 'done'],
    ['b', 'two', 'queued'],
    ['a', 'three', 'downloading'],
  ];
  for (const row of rows) earlier.prepare(insert).run(...row);
  earlier.close();

  const store = openStore(path);
  const all = store
    .prepare<{ id: string; state: string }>('SELECT id, state FROM downloads ORDER BY rowid')
    .all();
  expect(all.map(({ id, state }) => [id, state])).toEqual(rows.map(([id, , state]) => [id, state]));
  store.prepare(`UPDATE downloads SET state = 'paused' WHERE id = 'b'`).run();
  expect(() => store.prepare(insert).run('c', 'two', 'queued')).toThrow(/UNIQUE/);
  expect(() => store.prepare(`UPDATE downloads SET state = 'lost' WHERE id = 'a'`).run()).toThrow(/CHECK/);
  store.close();
});
