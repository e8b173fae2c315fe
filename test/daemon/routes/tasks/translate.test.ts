import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDaemonWith, type ChatDaemon } from '../../../helpers/daemon/chat.ts';
import { endlessModel, scriptedModel } from '../../../helpers/models/models.ts';
import { wordEmbedder, wordTranslator } from '../../../helpers/models/text-models.ts';

type Result = {
  translated_text: string;
  target_language: string;
  source_language?: string;
  model: string;
  usage: { prompt_tokens: number; completion_tokens: number; total_tokens: number };
};

describe('translation', () => {
  let daemon: ChatDaemon;
  const post = (body: Record<string, unknown>) =>
    daemon.call('POST', '/v1/translate', {
      token: daemon.key,
      body: { text: 'Good morning.', target_language: 'French', ...body },
    });
  const translate = async (body: Record<string, unknown>) => (await post(body)).json<Result>();

  beforeAll(async () => {
    daemon = await openDaemonWith({
      talker: await scriptedModel('Sure! Here is the translation:\n\n"Bonjour"'),
      endless: await endlessModel(),
      dictionary: await wordTranslator({ en: ['cat'], fr: ['chat', 'rouge'], de: ['rote', 'Katze'] }),
      embedder: await wordEmbedder(),
    });
    daemon.services.library.bind('svc-translate-v1', 'talker');
  });
  afterAll(() => daemon.close());

  test('has the documented shape, and the source only if it was named', async () => {
    expect(await translate({})).toEqual({
      translated_text: 'Bonjour',
      target_language: 'French',
      model: 'svc-translate-v1',
      usage: {
        prompt_tokens: expect.any(Number) as number,
        completion_tokens: expect.any(Number) as number,
        total_tokens: expect.any(Number) as number,
      },
    });
    expect(await translate({ source_language: 'en' })).toMatchObject({ source_language: 'en' });
  });

  test('by a talkative model is only the translation, line by line, with everything that is not language', async () => {
    const text =
      '# Hello\r\n\r\n  - first thing\n  2. second thing\n```\ncode stays\n```\n---\n\tlast line  \n';
    const { translated_text: translated } = await translate({ text });
    expect(translated).toBe(
      '# Bonjour\r\n\r\n  - Bonjour\n  2. Bonjour\n```\ncode stays\n```\n---\n\tBonjour  \n',
    );
  });

  test.each([
    ['Hello {name}, you have %d messages', 'Bonjour {name}, Bonjour %d Bonjour'],
    ['Run `npm install` now', 'Bonjour `npm install` Bonjour'],
    ['{a}{b}', '{a}{b}'],
  ])('restores placeholders that the model leaves out: %j is %j', async (text, expected) => {
    expect((await translate({ text })).translated_text).toBe(expected);
  });

  test.each(['12345', '\n\n', '🙂 — 3 %'])('of %j, which has no words, is the text itself', async (text) => {
    expect(await translate({ text })).toMatchObject({ translated_text: text, usage: { total_tokens: 0 } });
  });

  test.each([
    ['fr', 'en', 'chat rouge'],
    ['German', 'English', 'rote Katze'],
    ['de-AT', 'eng', 'rote Katze'],
  ])('by a translation model goes into %s from %s', async (target, source, expected) => {
    const languages = { target_language: target, source_language: source };
    const result = await translate({ model: 'dictionary', text: 'red cat', ...languages });
    expect(result).toMatchObject({ translated_text: expected, ...languages });
    expect(result.usage.completion_tokens).toBe(3);
  });

  test('by such a model detects the source language if it is not named', async () => {
    const text = 'The weather is very nice today and we would like to go for a walk in the park.';
    expect((await translate({ model: 'dictionary', text })).translated_text).toBe('chat rouge');
    const reply = await post({
      model: 'dictionary',
      text: 'Погода сегодня очень хорошая, пойдём гулять в парк.',
    });
    expect([reply.status, reply.json()]).toMatchObject([400, { error: { param: 'source_language' } }]);
  });

  test.each([
    [{ text: undefined }, 400, 'missing_required_parameter', 'text'],
    [{ text: '' }, 400, 'invalid_value', 'text'],
    [{ text: ['a'] }, 400, 'invalid_value', 'text'],
    [{ target_language: undefined }, 400, 'missing_required_parameter', 'target_language'],
    [{ target_language: 'Frensh' }, 400, 'invalid_value', 'target_language'],
    [{ source_language: 'xx' }, 400, 'invalid_value', 'source_language'],
    [{ formality: 'more' }, 400, 'unsupported_parameter', 'formality'],
    [{ model: 'nobody' }, 404, 'model_not_found', 'model'],
    [{ model: 'embedder' }, 400, 'model_capability_mismatch', 'model'],
    [{ model: 'svc-chat-v1' }, 400, 'model_capability_mismatch', 'model'],
    [{ model: 'endless' }, 400, 'context_length_exceeded', 'text'],
    [{ model: 'dictionary', target_language: 'Japanese' }, 400, 'invalid_value', 'target_language'],
  ])('%j is %d %s', async (body, status, code, param) => {
    const reply = await post({ source_language: 'English', ...body });
    expect([reply.status, reply.json()]).toMatchObject([status, { error: { code, param } }]);
  });

  test('into an unknown language suggests known ones', async () => {
    expect((await post({ target_language: 'Frensh' })).text).toContain('French');
  });

  test('is charged for the tokens of prompt and answer', async () => {
    const reply = await post({});
    const { usage } = reply.json<Result>();
    const row = daemon.services.store
      .prepare('SELECT task, prompt_tokens, completion_tokens, outcome, cost_n FROM usage WHERE id = ?')
      .get(reply.headers['x-request-id']);
    const costN = Math.ceil(usage.prompt_tokens * 100 + usage.completion_tokens * 200);
    expect(row).toEqual({
      task: 'translate',
      prompt_tokens: usage.prompt_tokens,
      completion_tokens: usage.completion_tokens,
      outcome: 'finished',
      cost_n: costN,
    });
  });

  test('says in the model’s record how it is done', async () => {
    const reply = await daemon.call('GET', '/v1/models/svc-translate-v1', { token: daemon.key });
    expect(reply.json()).toMatchObject({ local: { method: 'chat' } });
  });
});
