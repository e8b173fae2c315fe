import { MIGRATIONS } from '../../dist/src/store/migrations.js';
import { migrate } from '../../dist/src/store/migrate.js';
import { openSqlite } from '../../dist/src/store/sqlite.js';

/** Migrates a file and dies just before the given statement, counted from 1: `kill-in-migration.js PATH STATEMENT`. */
const [path, statement] = process.argv.slice(2);
let begun = 0;
const database = openSqlite(path, {
  verbose() {
    if (++begun === Number(statement)) process.kill(process.pid, 'SIGKILL');
  },
});
migrate(database, path, MIGRATIONS);
database.close();
