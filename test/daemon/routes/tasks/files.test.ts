import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import OpenAI, { toFile } from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually, openDaemonWith, type ChatDaemon } from '../../../helpers/daemon/chat.ts';
import { startDaemon } from '../../../helpers/daemon/daemon.ts';

const MINUTE = 60_000;

let daemon: ChatDaemon;
let openai: OpenAI;

beforeAll(async () => {
  daemon = await openDaemonWith({});
  openai = daemon.sdk;
}, MINUTE);
afterAll(() => daemon.close());

const upload = async (name: string, text: string | Buffer) =>
  openai.files.create({ file: await toFile(Buffer.from(text), name), purpose: 'assistants' });

const statusOf = async (work: Promise<unknown>) =>
  work.then(
    () => 200,
    (error: unknown) => (error as { status: number }).status,
  );

describe('malicious uploads', { timeout: MINUTE }, () => {
  test.each([
    '../../../etc/passwd.md',
    '..\\..\\boot.md',
    'C:\\x.md',
    '\u202egnp.md',
    `${'n'.repeat(5000)}.md`,
  ])('named %j are stored under their id only', async (name) => {
    const { id, filename } = await upload(name, 'text');
    expect(readdirSync(join(daemon.home, 'files'))).toContain(id);
    expect(filename.length).toBeLessThanOrEqual(255);
    expect(filename).not.toMatch(/\u202e/);
    await openai.files.delete(id);
  });

  test('are refused without a file, without a purpose, for training, and when they are empty', async () => {
    const file = await toFile(Buffer.from('x'), 'x.md');
    const refused = [
      openai.files.create({ file, purpose: 'fine-tune' }),
      openai.files.create({ file } as never),
      openai.files.create({ file: await toFile(Buffer.alloc(0), 'empty.md'), purpose: 'assistants' }),
    ];
    expect(await Promise.all(refused.map(statusOf))).toEqual([400, 400, 400]);
    const body = { purpose: 'assistants', file: { path: '/etc/passwd', name: 'x.md', bytes: 5 } };
    const forged = await daemon.call('POST', '/v1/files', { token: daemon.key, body });
    expect(forged.status).toBe(415);
  });

  test('are downloaded and never shown', async () => {
    const { id } = await upload('page.html', '<script>alert(1)</script>');
    const reply = await daemon.call('GET', `/v1/files/${id}/content`, { token: daemon.key });
    expect(reply.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment',
      'x-content-type-options': 'nosniff',
    });
  });

  test('beyond the space for all files are refused and leave nothing behind', async () => {
    const small = await startDaemon({ ASKD_FILE_STORE_BYTES: '1024' });
    const sdk = new OpenAI({ apiKey: small.key, baseURL: small.baseURL, maxRetries: 0 });
    const send = async (bytes: number) =>
      sdk.files.create({ file: await toFile(Buffer.alloc(bytes, 'a'), 'a.txt'), purpose: 'user_data' });
    await send(1000);
    expect(await statusOf(send(100))).toBe(413);
    expect(readdirSync(join(small.home, 'files'))).toHaveLength(1);
    await eventually(() => readdirSync(join(small.home, 'uploads'))).toEqual([]);
  });
});
