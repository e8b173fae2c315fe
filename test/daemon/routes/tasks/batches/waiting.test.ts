import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  chats,
  createBatch,
  linesOf,
  messages,
  overOf,
  toBatchLines,
} from '../../../../helpers/daemon/batches.ts';
import { eventually, openDaemonWith, type ChatDaemon } from '../../../../helpers/daemon/chat.ts';
import { endlessModel, scriptedModel } from '../../../../helpers/models/models.ts';

const ACCOUNT = 'acct_local';

let daemon: ChatDaemon;
let openai: OpenAI;

beforeAll(async () => {
  daemon = await openDaemonWith(
    { m: await scriptedModel('A short answer.'), endless: await endlessModel() },
    { ASKD_MODEL_SLOTS: '1' },
  );
  openai = daemon.sdk;
});
afterAll(() => daemon.close());

const create = (text: string, endpoint?: string) => createBatch(openai, text, endpoint);

const spent = () => daemon.services.wallet.balance(ACCOUNT).balance;
const held = () => daemon.services.wallet.balance(ACCOUNT).held;

describe('a batch that does not end by itself', { timeout: 60_000 }, () => {
  const busy = () => daemon.services.pool.status().find(({ artifact }) => artifact === 'endless')?.busy ?? 0;

  test('is cancelled, keeps finished work, and costs nothing for the rest', async () => {
    const before = spent();
    const created = await create(linesOf(chats(3, { model: 'endless' })));
    await eventually(busy).toBeGreaterThan(0);
    expect((await openai.batches.cancel(created.id)).status).toBe('cancelling');
    const batch = await overOf(openai, created.id);
    expect(batch).toMatchObject({
      status: 'cancelled',
      request_counts: { total: 3, completed: 0, failed: 0 },
    });
    expect(batch.output_file_id).toBeNull();
    await eventually(held).toBe(0);
    expect(spent()).toBe(before);
    expect((await openai.batches.cancel(created.id)).status).toBe('cancelled');
    await openai.files.delete(batch.input_file_id);
  });

  test('keeps its file, which cannot be deleted until then', async () => {
    const { id, input_file_id } = await create(linesOf(chats(1, { model: 'endless' })));
    await eventually(busy).toBeGreaterThan(0);
    await expect(openai.files.delete(input_file_id)).rejects.toMatchObject({
      status: 409,
      code: 'file_in_use',
    });
    await openai.batches.cancel(id);
    await overOf(openai, id);
  });

  test('makes way for a request that somebody waits for', async () => {
    const { id } = await create(linesOf(chats(1, { model: 'endless' })));
    await eventually(busy).toBeGreaterThan(0);
    const reply = await openai.chat.completions.create({
      model: 'endless',
      messages,
      max_tokens: 3,
    });
    expect(reply.usage?.completion_tokens).toBe(3);
    await openai.batches.cancel(id);
    await overOf(openai, id);
  });

  test('waits without credits, says so, and continues with them', async () => {
    const { wallet, store } = daemon.services;
    const all = Math.round(wallet.balance(ACCOUNT).available * 1e9);
    const hold = store.transaction(() =>
      wallet.holds.open(ACCOUNT, 'req_other', { leastN: all, wantN: all }),
    );
    const created = await create(linesOf(chats(2)));
    const waiting = async () => ((await openai.batches.retrieve(created.id)) as { waiting?: string }).waiting;
    await expect.poll(waiting, { timeout: 30_000, interval: 20 }).toMatch(/credits/);
    store.transaction(() => {
      wallet.holds.release(hold);
      const gift = { accountId: ACCOUNT, type: 'bonus' as const, amountN: 1 };
      wallet.credit({ ...gift, description: 'test', refType: 'test', refId: 'test' });
    });
    const batch = await overOf(openai, created.id);
    expect(batch).toMatchObject({ status: 'completed', waiting: null, request_counts: { completed: 2 } });
  });

  test('fails the rest of its requests once its key is revoked', async () => {
    const { key, id: keyId } = daemon.services.keys.create({
      ...{ accountId: ACCOUNT, name: 'soon gone', scopes: ['chat'], expiresAt: null },
    });
    const sdk = new OpenAI({ apiKey: key, baseURL: daemon.baseURL, maxRetries: 0 });
    const text = linesOf(chats(6, { model: 'endless' }));
    const { id } = await createBatch(sdk, text);
    await eventually(busy).toBeGreaterThan(0);
    daemon.services.keys.revoke(ACCOUNT, keyId);
    // This interrupts what it has started, which would otherwise continue with the key.
    await openai.chat.completions.create({ model: 'endless', messages, max_tokens: 1 });
    await eventually(() => daemon.services.batches.get(id).status).toBe('completed');
    const { completed, failed, errorFileId } = daemon.services.batches.get(id);
    expect([completed, failed]).toEqual([0, 6]);
    const { text: errors } = await daemon.call('GET', `/v1/files/${errorFileId}/content`);
    const lines = toBatchLines(errors);
    expect(lines.map(({ response }) => response?.status_code)).toEqual([401, 401, 401, 401, 401, 401]);
  });
});
