import { readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { llama } from '../../../../../models/engines/llama.ts';
import type { LoadOptions } from '../../../../../src/runtime/engine.ts';
import { randomModel } from '../../../../helpers/models/models.ts';
import { temporaryFolder } from '../../../../helpers/temporary.ts';
import { ask, user } from '../../../chats.ts';
import { load } from '../../../engine-contract.ts';

const SYSTEM = 'Answer in one word, and be kind to everybody, whatever they say. '.repeat(6);
const QUESTION = { messages: [{ role: 'system' as const, content: SYSTEM }, ...user('Who?')], maxTokens: 16 };
const CONTEXT_TOKENS = 2048;

const pinned = (folder: string): Partial<LoadOptions> => ({
  contextTokens: CONTEXT_TOKENS,
  pinnedPrompts: { texts: [SYSTEM], folder },
});
const states = (folder: string) => readdirSync(folder).filter((name) => name.endsWith('.state'));

/** A load that prefills the system prompt and saves it. */
async function save(path: string, folder: string): Promise<void> {
  const session = await load(llama, path, pinned(folder));
  await vi.waitFor(() => expect(states(folder)).toHaveLength(1), { timeout: 30_000 });
  await session[Symbol.asyncDispose]();
}

describe('llama: a pinned system prompt', () => {
  test('is prefilled once for all starts, and answers are the same', async () => {
    const { path } = await randomModel('llama', { seed: 9 });
    const folder = temporaryFolder();
    await save(path, folder);
    await using plain = await load(llama, path, { contextTokens: CONTEXT_TOKENS });
    await using session = await load(llama, path, pinned(folder));
    const answer = await ask(session, QUESTION);
    expect(answer.cachedTokens).toBeGreaterThan(SYSTEM.length);
    expect(answer.text).toBe((await ask(plain, QUESTION)).text);
  });

  test('is never used from another model, nor from another type of context', async () => {
    const [{ path }, other] = [
      await randomModel('llama', { seed: 9 }),
      await randomModel('llama', { seed: 4 }),
    ];
    const folder = temporaryFolder();
    await save(path, folder);
    for (const [file, options] of [
      [other.path, {}],
      [path, { contextTokens: 1024 }],
      [path, { flashAttention: 'off' as const }],
    ] as const) {
      await using session = await load(llama, file, { ...pinned(folder), ...options });
      const [first] = await Promise.all([ask(session, QUESTION)]);
      await using plain = await load(llama, file, { contextTokens: CONTEXT_TOKENS, ...options });
      expect(first.text).toBe((await ask(plain, QUESTION)).text);
    }
    await vi.waitFor(() => expect(states(folder)).toHaveLength(4), { timeout: 30_000 });
  });

  test('whose file was damaged is prefilled again', async () => {
    const { path } = await randomModel('llama', { seed: 9 });
    const folder = temporaryFolder();
    await save(path, folder);
    const [name = ''] = states(folder);
    writeFileSync(join(folder, name), 'no state');
    const complaint = vi.spyOn(console, 'error').mockImplementation(() => {});
    await using session = await load(llama, path, pinned(folder));
    expect(await ask(session, QUESTION)).toMatchObject({ cachedTokens: 0, completionTokens: 16 });
    expect(complaint).toHaveBeenCalledWith(expect.stringContaining(name), expect.anything());
    expect(states(folder)).toEqual([]);
  });

  test('that was not used for a month is deleted', async () => {
    const { path } = await randomModel('llama', { seed: 9 });
    const folder = temporaryFolder();
    const old = join(folder, 'old.state');
    writeFileSync(old, 'x');
    utimesSync(old, new Date(0), new Date(0));
    await save(path, folder);
    expect(states(folder)).not.toContain('old.state');
  });

  test('that another model is saving is left to it, but not one that was left unfinished', async () => {
    const { path } = await randomModel('llama', { seed: 9 });
    const folder = temporaryFolder();
    for (const name of ['fresh.state.1.part', 'left.state.2.part']) writeFileSync(join(folder, name), 'x');
    utimesSync(join(folder, 'left.state.2.part'), new Date(0), new Date(0));
    await save(path, folder);
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual(['fresh.state.1.part']);
  });

  test('does not fail if another model removes a file while the folder is read', async () => {
    const { path } = await randomModel('llama', { seed: 9 });
    const folder = temporaryFolder();
    // Listed, but nowhere.
    symlinkSync(join(folder, 'renamed'), join(folder, 'gone.state.3.part'));
    await using session = await load(llama, path, pinned(folder));
    expect(await ask(session, QUESTION)).toMatchObject({ completionTokens: 16 });
  });
});
