import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import OpenAI from 'openai';
import { expect, onTestFinished, test } from 'vitest';
import type { CreatedApiKey } from '../../../../../src/api/account/keys.ts';
import { chats, createBatch, linesOf, overOf } from '../../../../helpers/daemon/batches.ts';
import { eventually, openDaemonWith } from '../../../../helpers/daemon/chat.ts';
import { temporaryFolder } from '../../../../helpers/temporary.ts';

test(
  'a batch waits for tokens of its key, and continues when there are more',
  { timeout: 120_000 },
  async () => {
    const script = join(temporaryFolder(), 'answers.json');
    writeFileSync(script, JSON.stringify({ rules: [{ answer: { text: 'Done.' } }] }));
    const daemon = await openDaemonWith({}, { ASKD_SCRIPTED_ANSWERS: script });
    onTestFinished(daemon.close);
    const body = { name: 'little', tokens_per_month: 1 };
    const { id: keyId, key } = (await daemon.call('POST', '/api/keys', { body })).json<CreatedApiKey>();
    const openai = new OpenAI({ baseURL: daemon.baseURL, apiKey: key, maxRetries: 0 });
    const { id } = await createBatch(openai, linesOf(chats(2, { model: 'scripted' })));
    const waiting = async () =>
      ((await openai.batches.retrieve(id)) as { waiting?: string | null }).waiting ?? '';
    await eventually(waiting).toMatch(/tokens/);

    await daemon.call('PATCH', `/api/keys/${keyId}`, { body: { tokens_per_month: 1_000_000 } });
    expect(await overOf(openai, id)).toMatchObject({
      status: 'completed',
      waiting: null,
      request_counts: { total: 2, completed: 2, failed: 0 },
    });
  },
);
