import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { version } from '../../../src/base/version.ts';
import { migrate } from '../../../src/store/migrate.ts';
import { MIGRATIONS } from '../../../src/store/migrations.ts';
import { openSqlite } from '../../../src/store/sqlite.ts';
import { findDamage, openStore } from '../../../src/store/store.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const NEWEST = MIGRATIONS.length;
const KILLS = 50;
const KILLED = new URL('../../helpers/kill-in-migration.js', import.meta.url).pathname;

/** A database file as left by the askd with that schema, with a model, a binding, an event and some usage in it. */
function oldFile(schema: number): string {
  const path = join(temporaryFolder(), 'askd.db');
  const store = openStore(path, MIGRATIONS.slice(0, schema));
  store.prepare(`INSERT INTO artifacts VALUES('my-model', '{"id":"my-model"}', 1)`).run();
  store.prepare("INSERT INTO bindings VALUES('svc-chat-v1', 'my-model', 1)").run();
  store.prepare("INSERT INTO events(id, type, created_at, data) VALUES('evt_1', 'test', 1, '{}')").run();
  const usage = store.prepare(
    `INSERT INTO usage(id, account_id, key_id, task, model, artifact, prompt_tokens, cached_tokens,
       completion_tokens, outcome, started_at, duration_ms)
     VALUES(?, 'owner', 'key_1', 'chat', 'svc-chat-v1', 'my-model', 10, 0, 5, 'finished', 1, 2)`,
  );
  store.transaction(() => {
    for (let index = 0; index < 100; index++) usage.run(`use_${index}`);
  });
  store.close();
  return path;
}

/** The schema of a file, and the content of the tables that the first askd had. */
function contentOf(path: string) {
  const database = openSqlite(path, { readonly: true });
  try {
    const all = (sql: string) => database.prepare(sql).all();
    return {
      schema: all('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name'),
      artifacts: all('SELECT id, manifest FROM artifacts'),
      bindings: all('SELECT service, artifact_id FROM bindings'),
      events: all('SELECT id, type FROM events'),
      usage: all('SELECT count(*) AS requests, sum(prompt_tokens + completion_tokens) AS tokens FROM usage'),
      orphans: all('PRAGMA foreign_key_check'),
      damage: findDamage(database),
    };
  } finally {
    database.close();
  }
}

test.each(MIGRATIONS.map((_, index) => index + 1))(
  'a database of schema %i is migrated to the newest one, and keeps its contents',
  (schema) => {
    const path = oldFile(schema);
    openStore(path).close();
    const content = contentOf(path);
    expect(content).toEqual(contentOf(oldFile(NEWEST)));
    expect(content).toMatchObject({
      usage: [{ requests: 100, tokens: 1500 }],
      orphans: [],
      damage: undefined,
    });
  },
);

test('a database of a newer askd is refused with its version, and left unchanged', () => {
  const path = oldFile(NEWEST);
  const newer = openSqlite(path);
  newer.exec(
    `INSERT INTO schema_versions VALUES(${NEWEST + 1}, '9.8.7', 1); PRAGMA user_version = ${NEWEST + 1}`,
  );
  newer.close();
  const before = contentOf(path);
  expect(() => openStore(path)).toThrow(
    `was written by a newer askd, 9.8.7 (schema ${NEWEST + 1}; this one, ${version}, knows ${NEWEST})`,
  );
  expect(contentOf(path)).toEqual(before);
});

test('a database keeps the version of the askd that brought it to its schema', () => {
  const path = oldFile(NEWEST - 1);
  openStore(path).close();
  const database = openSqlite(path, { readonly: true });
  const rows = database.prepare('SELECT schema, askd FROM schema_versions ORDER BY schema DESC').all();
  database.close();
  expect(rows[0]).toEqual({ schema: NEWEST, askd: version });
});

test(
  `killed at ${KILLS} statements of a migration from the first schema, it loses nothing and the next start ends it`,
  { timeout: 300_000 },
  async () => {
    const wanted = contentOf(oldFile(NEWEST));
    const statements = countStatements(oldFile(1));
    expect(statements).toBeGreaterThanOrEqual(KILLS);
    for (let kill = 1; kill <= KILLS; kill++) {
      const path = oldFile(1);
      const statement = String(Math.ceil((kill * statements) / KILLS));
      const child = spawn(process.execPath, [KILLED, path, statement], { stdio: 'inherit' });
      expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
      openStore(path).close();
      expect(contentOf(path)).toEqual(wanted);
    }
  },
);

function countStatements(path: string): number {
  let statements = 0;
  const database = openSqlite(path, { verbose: () => statements++ });
  migrate(database, path, MIGRATIONS);
  database.close();
  return statements;
}
