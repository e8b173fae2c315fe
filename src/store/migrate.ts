import type Database from 'better-sqlite3';
import { Failure } from '../base/errors.ts';
import { version } from '../base/version.ts';

/**
 * Migrates the schema, each step in its own transaction: after a kill, the next start continues. A new database has
 * nothing to continue from, and waits for the disk only once.
 */
export function migrate(database: Database.Database, path: string, migrations: readonly string[]): void {
  const current = Number(database.pragma('user_version', { simple: true }));
  if (current > migrations.length) throw tooNew(database, path, { current, known: migrations.length });
  const steps = migrations.slice(current).map((sql, index) => {
    const schema = current + index + 1;
    return database.transaction(() => {
      database.exec(sql);
      database.pragma(`user_version = ${schema}`);
      if (hasVersions(database)) recordVersion(database, schema);
    });
  });
  const takeAll = database.transaction(() => steps.forEach((step) => step()));
  if (current === 0) takeAll.immediate();
  else steps.forEach((step) => step.immediate());
}

function hasVersions(database: Database.Database): boolean {
  return database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'schema_versions'").get() !== undefined;
}

function recordVersion(database: Database.Database, schema: number): void {
  database
    .prepare('INSERT INTO schema_versions(schema, askd, migrated_at) VALUES(?, ?, ?)')
    .run(schema, version, Date.now());
}

function tooNew(
  database: Database.Database,
  path: string,
  { current, known }: { current: number; known: number },
): Failure {
  const askd = hasVersions(database)
    ? database
        .prepare<[number], string>('SELECT askd FROM schema_versions WHERE schema = ?')
        .pluck()
        .get(current)
    : undefined;
  const writer = askd === undefined ? 'a newer askd' : `a newer askd, ${askd}`;
  return new Failure(
    'schema_too_new',
    `The database ${path} was written by ${writer} (schema ${current}; this one, ${version}, knows ${known}). ` +
      'Install that version again, or point ASKD_HOME at another folder.',
    { details: { fix: `npm install -g askd@${askd ?? 'latest'} --allow-scripts=better-sqlite3` } },
  );
}
