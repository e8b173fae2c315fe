/** One of several processes on one database: takes holds as fast as it can, and reports how many it was granted. */
import { randomUUID } from 'node:crypto';
import { systemClock } from '../../../dist/src/base/clock.js';
import { createEvents } from '../../../dist/src/events/events.js';
import { createNotices } from '../../../dist/src/events/notices.js';
import { openStore } from '../../../dist/src/store/store.js';
import { createWallet } from '../../../dist/src/wallet/wallet.js';

const RECORD = `
  INSERT INTO usage(id, account_id, task, model, artifact, prompt_tokens, cached_tokens, completion_tokens, outcome,
    started_at, duration_ms, cost_n)
  SELECT request_id, account_id, 'chat', 'm', 'a', 0, 0, 0, 'finished', 1, 1, ? FROM holds WHERE id = ?`;

/** Less than the test's time limit, so that a lock that is never released shows as such. */
const TURN_MS_MAX = 90_000;

const [database, accountId, attempts, amount] = process.argv.slice(2);
const amountN = Number(amount);
const store = openStore(database);
// A daemon has its database to itself. Here the lock goes to whoever asks at the right moment, and the last in line
// may wait until all others are done.
store.prepare(`PRAGMA busy_timeout = ${TURN_MS_MAX}`).get();
const parts = { store, clock: systemClock };
const wallet = createWallet({
  ...parts,
  events: createEvents(parts),
  notices: createNotices(parts),
  bootId: randomUUID(),
});

const tally = { granted: 0, refused: 0 };
for (let attempt = 0; attempt < Number(attempts); attempt++) {
  try {
    const hold = take();
    tally.granted += 1;
    if (attempt % 3 > 0) settle(hold);
  } catch (error) {
    if (error.kind?.status !== 402) throw error;
    tally.refused += 1;
  }
}
store.close();
process.stdout.write(JSON.stringify(tally));

function take() {
  const wanted = { leastN: amountN, wantN: amountN };
  return store.transaction(() => wallet.holds.open(accountId, randomUUID(), wanted));
}

/** All of it is paid, so that the remainder for others is the same as while it was held. */
function settle(hold) {
  store.transaction(() => {
    store.prepare(RECORD).run(amountN, hold.id);
    wallet.holds.settle(hold, { costN: amountN, description: 'used' });
  });
}
