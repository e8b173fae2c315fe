import { describe, expect, test } from 'vitest';
import type { LoadedModel } from '../../../../src/api/management/memory.ts';
import { codeOf } from '../../../helpers/accounts/sessions.ts';
import { daemonWith, eventually, hello } from '../../../helpers/daemon/chat.ts';
import { endlessModel, scriptedModel } from '../../../helpers/models/models.ts';
import type { TestDaemon } from '../../../helpers/daemon/daemon.ts';

const MINUTE = 180_000;

async function loaded({ call }: Pick<TestDaemon, 'call'>): Promise<LoadedModel | undefined> {
  return (await call('GET', '/api/daemon/ps')).json<{ models: LoadedModel[] }>().models[0];
}

describe('speculative decoding', () => {
  test('is shown in the usage of an answer, and with the model', { timeout: MINUTE }, async () => {
    const daemon = await daemonWith({ m: await endlessModel() }, { ASKD_DRAFTING: 'prompt' });
    const { usage } = await daemon.sdk.chat.completions.create({
      model: 'm',
      messages: hello,
      max_tokens: 300,
    });
    const details = usage?.completion_tokens_details;
    expect(usage?.completion_tokens).toBe(300);
    // How many is up to the times that it measures; a trial comes in any case.
    expect(details?.accepted_prediction_tokens).toBeGreaterThan(0);
    expect(details?.rejected_prediction_tokens).toBeGreaterThanOrEqual(0);
    await expect
      .poll(async () => (await loaded(daemon))?.drafts, { timeout: 20_000 })
      .toMatchObject({ by: 'prompt', accepted: details?.accepted_prediction_tokens });
  });

  test('is off by default', { timeout: MINUTE }, async () => {
    const daemon = await daemonWith({ m: await endlessModel() });
    const { usage } = await daemon.sdk.chat.completions.create({
      model: 'm',
      messages: hello,
      max_tokens: 50,
    });
    expect(usage?.completion_tokens_details).toEqual({ reasoning_tokens: 0 });
    expect((await loaded(daemon))?.drafts).toBeNull();
  });

  test('uses a smaller model as soon as one is bound, until it is removed', { timeout: MINUTE }, async () => {
    const text = 'The answer is the same whoever guesses it.';
    const models = {
      large: await scriptedModel(text),
      small: await scriptedModel(text, { contextTokens: 4096 }),
    };
    const daemon = await daemonWith(models);
    const ask = async () => {
      const { choices } = await daemon.sdk.chat.completions.create({
        model: 'svc-chat-v1',
        messages: hello,
      });
      return { text: choices[0]?.message.content, by: (await loaded(daemon))?.drafts?.by };
    };
    const bind = (draft?: string) =>
      daemon.call('POST', '/api/daemon/bind', {
        body: { service: 'svc-chat-v1', artifact: 'large', ...(draft !== undefined && { draft }) },
      });
    await bind();
    expect(await ask()).toEqual({ text, by: undefined });
    expect((await bind('small')).json()).toEqual({
      service: 'svc-chat-v1',
      artifact: 'large',
      draft: 'small',
    });
    expect(await ask()).toEqual({ text, by: 'small' });
    expect((await bind()).json()).toMatchObject({ draft: 'small' });
    const refused = await daemon.call('POST', '/api/daemon/remove', { body: { model: 'small' } });
    expect([refused.status, codeOf(refused)]).toEqual([409, 'model_in_use']);
    expect((await bind('')).json()).toEqual({ service: 'svc-chat-v1', artifact: 'large' });
    await eventually(async () => (await ask()).by).toBeUndefined();
  });

  test('with a model that has other tokens is refused with what to do', { timeout: MINUTE }, async () => {
    const models = { large: await scriptedModel('one text'), small: await scriptedModel('and another one') };
    const { call, chat } = await daemonWith(models);
    const body = { service: 'svc-chat-v1', artifact: 'large', draft: 'small' };
    expect((await call('POST', '/api/daemon/bind', { body })).status).toBe(200);
    const reply = await chat({ model: 'large' });
    expect([reply.status, codeOf(reply)]).toEqual([503, 'draft_mismatch']);
    expect(reply.text).toContain('--no-draft');
  });

  test.each([
    ['large', 'cannot be its own draft model'],
    ['nobody', 'nobody'],
  ])('with %s is refused when it is bound, and nothing changes', async (draft, words) => {
    const { call, services } = await daemonWith({ large: await scriptedModel('words') });
    const body = { service: 'svc-code-v1', artifact: 'large', draft };
    const reply = await call('POST', '/api/daemon/bind', { body });
    expect(reply.status).toBeGreaterThanOrEqual(400);
    expect(reply.text).toContain(words);
    expect(services.library.boundArtifact('svc-code-v1')?.id).not.toBe('large');
  });
});
