import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openSqlite } from '../../src/store/sqlite.ts';
import { expect, test } from 'vitest';
import { startKillable, type Killable } from '../helpers/daemon/killable-daemon.ts';
import { finishKeyed, mixedLoad, type Seen } from '../helpers/accounts/mixed-load.ts';
import { endlessModel, scriptedModel } from '../helpers/models/models.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

/** More of them by hand: ASKD_KILL_ROUNDS=50 npx vitest run test/journeys/kill.test.ts */
const ROUNDS = Number(process.env['ASKD_KILL_ROUNDS'] ?? 5);
const ROUND_MS_MAX = 60_000;

type Audit = { open_holds: number; findings: unknown[] };

test(
  `a daemon that is killed ${ROUNDS} times under load loses nothing, and charges nothing twice`,
  async () => {
    const home = temporaryFolder();
    const seen: Seen = { whole: new Map(), keyed: new Map(), created: new Map() };
    const keys = await prepare(home);
    for (let round = 0; round < ROUNDS; round++) {
      const daemon = await startKillable(home);
      await expectClean(daemon);
      await deleteMadeKeys(daemon);
      const gone = new AbortController();
      const load = mixedLoad({ daemon, ...keys, seen, signal: gone.signal });
      // Every other life ends while models are still loading, the rest while answers are running.
      const answers = seen.whole.size;
      if (round % 2 === 0) await Promise.race([load, until(() => seen.whole.size > answers + 3)]);
      await Promise.race([load, wait(Math.random() * 600)]);
      gone.abort();
      await daemon.kill();
      await load;
    }
    const daemon = await startKillable(home);
    await expectClean(daemon);
    await deleteMadeKeys(daemon);
    await finishKeyed({ daemon, ...keys, seen, signal: new AbortController().signal });
    await expectClean(daemon);
    await daemon.kill();
    expectRecords(home, seen, keys);
  },
  ROUNDS * ROUND_MS_MAX,
);

/** Models and keys on a new home. */
async function prepare(home: string) {
  const daemon = await startKillable(home);
  const models = { short: await scriptedModel('A short answer.'), endless: await endlessModel() };
  for (const [id, { path }] of Object.entries(models)) {
    await daemon.control('POST', '/api/daemon/import', { id, path });
  }
  await daemon.control('PUT', '/api/account/tier', { tier: 'enterprise', rpm: 1e6, tpm: 1e9 });
  const create = (name: string) => daemon.control<{ key: string }>('POST', '/api/keys', { name });
  const keys = { apiKey: (await create('load')).key, keyedApiKey: (await create('keyed')).key };
  await daemon.kill();
  return keys;
}

/** Those whose deletion came too late in an earlier life. */
async function deleteMadeKeys(daemon: Killable): Promise<void> {
  const keys = await daemon.control<{ id: string; name: string }[]>('GET', '/api/keys');
  for (const { id, name } of keys) {
    if (name.startsWith('made-')) await daemon.control('DELETE', `/api/keys/${id}`);
  }
}

async function expectClean(daemon: Killable): Promise<void> {
  const audit = await daemon.control<Audit>('GET', '/api/daemon/ledger');
  expect(audit.findings).toEqual([]);
  expect(audit.open_holds).toBe(0);
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await wait(10);
}

type Row = Record<string, string | number>;

/** From the file itself, when nobody has it open. */
function expectRecords(
  home: string,
  { whole, keyed, created }: Seen,
  { keyedApiKey }: { keyedApiKey: string },
): void {
  const database = openSqlite(join(home, 'askd.db'), { readonly: true });
  const all = (sql: string, ...values: unknown[]) => database.prepare<unknown[], Row>(sql).all(...values);
  try {
    for (const [request, { prompt_tokens, completion_tokens }] of whole)
      expect(all(CHARGED, request)).toMatchObject([{ prompt_tokens, completion_tokens, is_charged: 1 }]);
    const net = all(NET_OF_KEY, keyedApiKey.slice(-4)).map(({ net_n }) => Number(net_n) < 0);
    expect(net.filter(Boolean)).toHaveLength(
      [...keyed.values()].filter((answer) => answer !== undefined).length,
    );
    for (const [name, id] of created)
      expect(all('SELECT id FROM api_keys WHERE name = ?', name)).toEqual([{ id }]);
  } finally {
    database.close();
  }
  expect(whole.size).toBeGreaterThan(ROUNDS);
  expect(Math.min(keyed.size, created.size)).toBeGreaterThan(0);
}

const CHARGED = `
  SELECT u.prompt_tokens, u.completion_tokens, t.amount_n = -u.cost_n AND u.cost_n > 0 AS is_charged FROM usage u
  JOIN holds h ON h.request_id = u.id JOIN wallet_transactions t
    ON t.type = 'usage' AND t.ref_type = 'hold' AND t.ref_id = h.id
  WHERE u.id = ?`;

/** What each request of the key was charged, minus refunds. */
const NET_OF_KEY = `
  SELECT u.id, t.amount_n + coalesce(r.amount_n, 0) AS net_n FROM usage u
  JOIN api_keys k ON k.id = u.key_id JOIN holds h ON h.request_id = u.id
  JOIN wallet_transactions t ON t.type = 'usage' AND t.ref_type = 'hold' AND t.ref_id = h.id
  LEFT JOIN wallet_transactions r ON r.type = 'refund' AND r.ref_id = t.id
  WHERE k.last_four = ?`;
