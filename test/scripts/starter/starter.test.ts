import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeStarter } from '../../../scripts/starter/starter.ts';
import { STARTER_REPLY } from '../../../scripts/starter/reply.ts';
import { openModel } from '../fixtures/llama.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'askd-starter-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('the starter says that it is a placeholder, and how to get a real model', async () => {
  const file = await makeStarter(path.join(folder, 'new/folder'));
  await using llama = await openModel(file);
  expect(await llama.chat('What can you do?')).toEqual({ text: STARTER_REPLY, stopReason: 'eogToken' });
  expect(STARTER_REPLY).toContain('`askd import FILE.gguf --id my-model`');
  expect(STARTER_REPLY).toContain('`askd bind svc-chat-v1 my-model`');
});

test('making it again gives the same small file', async () => {
  const first = await readFile(await makeStarter(folder));
  const second = await readFile(await makeStarter(folder));
  expect(first.equals(second)).toBe(true);
  expect(first.length).toBeLessThan(1_000_000);
});
