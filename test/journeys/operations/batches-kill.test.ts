import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import OpenAI, { toFile } from 'openai';
import { expect, test } from 'vitest';
import { openSqlite } from '../../../src/store/sqlite.ts';
import { startKillable, type Killable } from '../../helpers/daemon/killable-daemon.ts';
import { scriptedModel } from '../../helpers/models/models.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const LINES = 120;
const KILLS = 6;

type Line = { custom_id: string; response: { body: { choices: { message: { content: string } }[] } } };

const openaiOf = ({ baseUrl }: Killable, apiKey: string) =>
  new OpenAI({ apiKey, baseURL: `${baseUrl}/v1`, maxRetries: 0 });

test(`a batch whose daemon is killed ${KILLS} times has every answer once, and each is paid once`, async () => {
  const home = temporaryFolder();
  const first = await startKillable(home);
  const { path } = await scriptedModel('A short answer of some words.');
  await first.control('POST', '/api/daemon/import', { id: 'm', path });
  const { key } = await first.control<{ key: string }>('POST', '/api/keys', { name: 'batch' });
  const batch = await create(openaiOf(first, key));
  await first.kill();

  for (let kill = 0; kill < KILLS; kill++) {
    const daemon = await startKillable(home);
    // Each life completes some more lines, and ends shortly after one of them.
    const enough = Math.floor(((kill + 1) * LINES) / (KILLS + 1));
    await progress(openaiOf(daemon, key), batch.id, enough);
    await wait(Math.random() * 20);
    await daemon.kill();
  }
  const daemon = await startKillable(home);
  const openai = openaiOf(daemon, key);
  await progress(openai, batch.id, LINES);
  await expect
    .poll(async () => (await openai.batches.retrieve(batch.id)).status, { timeout: 60_000 })
    .toBe('completed');
  const done = await openai.batches.retrieve(batch.id);
  expect(done.request_counts).toEqual({ total: LINES, completed: LINES, failed: 0 });
  const lines = (await (await openai.files.content(done.output_file_id ?? '')).text()).trimEnd().split('\n');
  const ids = lines.map((line) => (JSON.parse(line) as Line).custom_id);
  expect(ids).toEqual(Array.from({ length: LINES }, (_, index) => `line-${index}`));
  const outputs = (await openai.files.list({ purpose: 'batch_output' })).data;
  expect(outputs.map(({ id }) => id)).toEqual([done.output_file_id]);
  const audit = await daemon.control<{ open_holds: number; findings: unknown[] }>(
    'GET',
    '/api/daemon/ledger',
  );
  expect(audit).toMatchObject({ findings: [], open_holds: 0 });
  await daemon.kill();
  expectPaidOnce(home, batch.id);
}, 240_000);

async function create(openai: OpenAI): Promise<OpenAI.Batch> {
  const text = Array.from({ length: LINES }, (_, index) =>
    JSON.stringify({
      custom_id: `line-${index}`,
      method: 'POST',
      url: '/v1/chat/completions',
      body: { model: 'm', messages: [{ role: 'user', content: 'hello' }] },
    }),
  ).join('\n');
  const file = await openai.files.create({
    file: await toFile(Buffer.from(text), 'in.jsonl'),
    purpose: 'batch',
  });
  return openai.batches.create({
    input_file_id: file.id,
    endpoint: '/v1/chat/completions',
    completion_window: '24h',
  });
}

async function progress(openai: OpenAI, id: string, lines: number): Promise<void> {
  const completed = async () => (await openai.batches.retrieve(id)).request_counts?.completed ?? 0;
  await expect.poll(completed, { timeout: 60_000, interval: 5 }).toBeGreaterThanOrEqual(lines);
}

/** From the file itself, when nobody has it open. */
function expectPaidOnce(home: string, batchId: string): void {
  const database = openSqlite(join(home, 'askd.db'), { readonly: true });
  const row = (sql: string) => database.prepare<unknown[], Record<string, number>>(sql).get();
  try {
    const used = row(`SELECT count(*) AS n, min(cost_n) AS least, max(cost_n) AS most, sum(cost_n) AS cost
      FROM usage WHERE batch_id = '${batchId}'`);
    expect(used?.['n']).toBe(LINES);
    expect(used?.['most']).toBe(used?.['least']);
    expect(used?.['least']).toBeGreaterThan(0);
    const charged = row(
      "SELECT count(*) AS n, -sum(amount_n) AS cost FROM wallet_transactions WHERE type = 'usage'",
    );
    expect(charged).toEqual({ n: LINES, cost: used?.['cost'] });
    expect(row('SELECT count(*) AS n FROM batch_results')).toEqual({ n: 0 });
  } finally {
    database.close();
  }
}
