import { describe, expect, test } from 'vitest';
import { llama } from '../../../../models/engines/llama.ts';
import { CACHE_TYPES, FLASH_ATTENTION } from '../../../../src/config/context-cache.ts';
import { randomModel } from '../../../helpers/models/models.ts';
import { ask, user } from '../../chats.ts';
import { load } from '../../engine-contract.ts';

const QUESTION = { messages: user('What is the tallest mountain of Europe?'), maxTokens: 24 };

describe('llama: a context', () => {
  test.each(CACHE_TYPES)('with a cache of type %s answers, and reports the type', async (cacheType) => {
    const { path } = await randomModel('llama', { headWidth: 32 });
    await using session = await load(llama, path, { cacheType, flashAttention: 'on' });
    expect(session.description).toMatchObject({ cacheType, flashAttention: 'on' });
    expect(await ask(session, QUESTION)).toMatchObject({ completionTokens: 24, reason: 'length' });
  });

  test.each(FLASH_ATTENTION)('with flash attention %s gives the same answer', async (flashAttention) => {
    const { path } = await randomModel('llama', { seed: 9 });
    await using session = await load(llama, path, { flashAttention });
    await using usual = await load(llama, path);
    expect((await ask(session, QUESTION)).text).toBe((await ask(usual, QUESTION)).text);
  });

  test("is refused with a type that does not fit the model's heads", async () => {
    const { path } = await randomModel('llama');
    const loading = load(llama, path, { cacheType: 'q8_0' });
    await expect(loading).rejects.toMatchObject({ code: 'model_load_failed' });
    await expect(loading).rejects.toThrow(/q8_0.*head size 8 .*kv_cache_type/s);
  });
});
