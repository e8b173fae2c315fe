import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import OpenAI from 'openai';
import { expect, test } from 'vitest';
import {
  createBatch,
  linesOf,
  overOf,
  readBatchFile,
  requests,
  type BatchLine,
} from '../../helpers/daemon/batches.ts';
import { install, type Installation } from '../../helpers/daemon/installation.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const ENDPOINT = '/v1/chat/completions';

/** Answers every question except one, which waits forever. */
const SCRIPT = {
  rules: [
    { when: { contains: 'later' }, answer: { error: { code: 'queue_full' } } },
    { answer: { text: 'Done.' } },
  ],
};

const ask = (content: string) => ({ model: 'scripted', messages: [{ role: 'user', content }] });
const idsOf = (lines: readonly BatchLine[]) => lines.map(({ custom_id }) => custom_id);

function openaiOf({ presence }: Installation, apiKey: string): OpenAI {
  return new OpenAI({ apiKey, baseURL: `http://127.0.0.1:${presence()?.port}/v1`, maxRetries: 0 });
}

async function succeeds({ askd }: Installation, ...args: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await askd(args);
  expect([args.join(' '), exitCode, stderr]).toEqual([args.join(' '), 0, expect.any(String)]);
  return stdout;
}

test(
  'a batch that was restored without its file fails, says what to do, and keeps what was done',
  { timeout: 240_000 },
  async () => {
    const script = join(temporaryFolder(), 'answers.json');
    writeFileSync(script, JSON.stringify(SCRIPT));
    const env = { ASKD_SCRIPTED_ANSWERS: script };
    const installed = install(env);
    await succeeds(installed, 'up');
    const key = await succeeds(installed, 'keys', 'create', '--name', 'batch');
    const openai = openaiOf(installed, key);
    const text = linesOf(requests(ENDPOINT, [ask('now'), ask('later'), ask('now')]));
    const { id } = await createBatch(openai, text);
    const unread = await createBatch(openai, linesOf(requests(ENDPOINT, [ask('later')])));
    const done = async () => (await openai.batches.retrieve(id)).request_counts?.completed;
    await expect.poll(done, { timeout: 60_000 }).toBe(2);
    const file = join(temporaryFolder(), 'askd.tar');
    await succeeds(installed, 'backup', file, '--no-secrets');
    await succeeds(installed, 'down');

    const again = install(env);
    await succeeds(again, 'restore', file);
    await succeeds(again, 'up');
    const restored = openaiOf(again, key);
    const batch = await overOf(restored, id);
    expect(batch).toMatchObject({
      status: 'failed',
      waiting: null,
      request_counts: { total: 3, completed: 2, failed: 0 },
      errors: {
        data: [
          {
            code: 'not_found',
            param: 'input_file_id',
            line: null,
            message: expect.stringMatching(/not on this machine.*Upload the file again/) as string,
          },
        ],
      },
    });
    expect(idsOf(await readBatchFile(restored, batch.output_file_id))).toEqual(['line-1', 'line-3']);
    expect((await overOf(restored, unread.id)).status).toBe('failed');
    expect(await succeeds(again, 'batch', 'show', id)).toMatch(/Upload the file again.*--output/s);
  },
);
