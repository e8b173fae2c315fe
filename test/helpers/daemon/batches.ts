import type OpenAI from 'openai';
import { toFile } from 'openai';
import { expect } from 'vitest';

export type BatchLine = {
  id: string;
  custom_id: string;
  response: { status_code: number; request_id: string; cost: number; body: Record<string, unknown> } | null;
  error: { code: string; message: string } | null;
};

export const messages = [{ role: 'user' as const, content: 'hello' }];

/** Requests for a batch, numbered. */
export const chats = (count: number, body: Record<string, unknown> = {}, from = 1) =>
  requests(
    '/v1/chat/completions',
    Array.from({ length: count }, () => ({ model: 'm', messages, ...body })),
    from,
  );
export const requests = (url: string, bodies: readonly unknown[], from = 1) =>
  bodies.map((body, index) => ({ custom_id: `line-${index + from}`, method: 'POST', url, body }));
export const linesOf = (items: readonly unknown[]) =>
  items.map((item) => `${JSON.stringify(item)}\n`).join('');

/** A batch of this text. */
export async function createBatch(
  openai: OpenAI,
  text: string,
  endpoint = '/v1/chat/completions',
): Promise<OpenAI.Batch> {
  const file = await openai.files.create({
    file: await toFile(Buffer.from(text), 'in.jsonl'),
    purpose: 'batch',
  });
  return openai.batches.create({
    input_file_id: file.id,
    endpoint: endpoint as OpenAI.BatchCreateParams['endpoint'],
    completion_window: '24h',
    metadata: { for: 'a test' },
  });
}

const OVER = ['completed', 'failed', 'expired', 'cancelled'];

/** The batch once it is over. */
export async function overOf(openai: OpenAI, id: string): Promise<OpenAI.Batch> {
  await expect
    .poll(async () => OVER.includes((await openai.batches.retrieve(id)).status), {
      timeout: 60_000,
      interval: 20,
    })
    .toBe(true);
  return openai.batches.retrieve(id);
}

export async function readBatchFile(openai: OpenAI, fileId: string | null | undefined): Promise<BatchLine[]> {
  if (!fileId) throw new Error('There is no file');
  return toBatchLines(await (await openai.files.content(fileId)).text());
}

export const toBatchLines = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as BatchLine);
