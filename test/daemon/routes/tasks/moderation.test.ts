import { mkdirSync, cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { MODERATION_CATEGORIES } from '../../../../src/base/moderation-categories.ts';
import { openDaemonWith, type ChatDaemon } from '../../../helpers/daemon/chat.ts';
import { scriptedModel } from '../../../helpers/models/models.ts';
import { temporaryFolder } from '../../../helpers/temporary.ts';
import { markerModel, onnxClassifier, wordEmbedder } from '../../../helpers/models/text-models.ts';

type Result = {
  results: {
    flagged: boolean;
    categories: Record<string, boolean>;
    category_scores: Record<string, number>;
  }[];
};

/** The labels of a real moderation classifier, each with a word that makes it fire. */
const KOALA = {
  H: ['fire'],
  H2: ['stone'],
  HR: ['dog'],
  S: ['moon'],
  S3: ['bird'],
  SH: ['water'],
  V: ['red'],
  V2: ['sun'],
  OK: ['the'],
};

let daemon: ChatDaemon;
const post = (body: Record<string, unknown>, path = '/v1/moderate') =>
  daemon.call('POST', path, { token: daemon.key, body });
const moderate = async (body: Record<string, unknown>) => (await post(body)).json<Result>().results;

beforeAll(async () => {
  daemon = await openDaemonWith({
    classifier: await onnxClassifier({ labels: KOALA, problem: 'multi_label_classification' }),
    guard: await markerModel({ name: 'Tiny Guard' }),
    talker: await markerModel(),
    embedder: await wordEmbedder(),
  });
  daemon.services.library.bind('svc-moderation-v1', 'classifier');
});
afterAll(() => daemon.close());

describe('moderation', () => {
  test('comes to the SDK with all eleven categories for each text', async () => {
    const { sdk } = daemon;
    const moderation = await sdk.moderations.create({ input: ['the cat', 'red fire'] });
    expect(moderation).toMatchObject({
      id: expect.stringMatching(/^modr-/) as string,
      model: 'svc-moderation-v1',
      usage: { prompt_tokens: 8, total_tokens: 8 },
      cost: { total_usd: 0.00000016, price_per_million_tokens: 0.02 },
    });
    const [calm, harmful] = moderation.results;
    expect(calm?.flagged).toBe(false);
    expect(harmful).toMatchObject({
      flagged: true,
      categories: { hate: true, violence: true, sexual: false },
    });
    for (const { categories, category_scores: scores } of moderation.results) {
      expect(Object.keys(categories)).toEqual([...MODERATION_CATEGORIES]);
      expect(Object.keys(scores)).toEqual([...MODERATION_CATEGORIES]);
      for (const score of Object.values(scores)) expect(score >= 0 && score <= 1).toBe(true);
    }
  });

  test('of several parts covers what they say together', async () => {
    const { sdk } = daemon;
    const parts = ['the cat', 'red fire'].map((text) => ({ type: 'text' as const, text }));
    const { results } = await sdk.moderations.create({ input: parts });
    const [together] = (await sdk.moderations.create({ input: 'the cat\nred fire' })).results;
    expect(results).toEqual([together]);
    expect(results[0]?.category_applied_input_types.hate).toEqual(['text']);
  });

  test('is the same under both of its addresses', async () => {
    const body = { input: 'red fire', model: 'classifier' };
    const [one, other] = [await post(body), await post(body, '/v1/moderations')];
    expect(one.json<Result>().results).toEqual(other.json<Result>().results);
  });

  test.each([
    ['fire', ['hate']],
    ['stone', ['hate/threatening']],
    ['dog', ['harassment']],
    ['dog red', ['harassment', 'harassment/threatening', 'violence']],
    ['water', ['self-harm']],
    ['moon', ['sexual']],
    ['bird', ['sexual/minors']],
    ['sun', ['violence/graphic']],
    ['the cat', []],
  ])('by a classifier follows the rules of its manifest: %j is %j', async (input, expected) => {
    const [result] = await moderate({ input });
    const flagged = Object.entries(result?.categories ?? {}).flatMap(([name, is]) => (is ? [name] : []));
    expect(flagged).toEqual(expected);
  });

  test('reads a long text to its end', async () => {
    const [result] = await moderate({ input: `${'cat '.repeat(900)}fire` });
    expect(result?.categories['hate']).toBe(true);
  });

  test.each(['guard', 'talker'])('by a prompted model, a %s, is yes where it says yes', async (model) => {
    const [calm, harmful] = await moderate({ model, input: ['I like cats.', 'I ~ cats.'] });
    expect(Object.values(calm?.category_scores ?? {}).every((score) => score < 0.1)).toBe(true);
    expect(Object.values(harmful?.category_scores ?? {}).every((score) => score > 0.9)).toBe(true);
    expect([calm?.flagged, harmful?.flagged]).toEqual([false, true]);
  });

  test('says in the model’s record how it is done', async () => {
    const methods = [];
    for (const artifact of ['classifier', 'guard', 'talker']) {
      daemon.services.library.bind('svc-moderation-v1', artifact);
      const reply = await daemon.call('GET', '/v1/models/svc-moderation-v1', { token: daemon.key });
      methods.push(reply.json<{ local: { method: string } }>().local.method);
    }
    daemon.services.library.bind('svc-moderation-v1', 'classifier');
    expect(methods).toEqual(['classifier', 'guard', 'chat_questions']);
  });

  test.each([
    [{}, 400, 'missing_required_parameter', 'input'],
    [{ input: [] }, 400, 'invalid_value', 'input'],
    [{ input: '' }, 400, 'invalid_value', 'input'],
    [{ input: ['a', ''] }, 400, 'invalid_value', 'input[1]'],
    [{ input: 7 }, 400, 'invalid_value', 'input'],
    [{ input: [{ type: 'text' }] }, 400, 'missing_required_parameter', 'input[0].text'],
    [
      {
        input: [
          { type: 'text', text: 'a' },
          { type: 'image_url', image_url: { url: 'data:' } },
        ],
      },
      400,
      'unsupported_parameter',
      'input[1].image_url',
    ],
    [{ input: Array<string>(101).fill('a') }, 400, 'invalid_value', 'input'],
    [{ input: 'a', threshold: 0.1 }, 400, 'unsupported_parameter', 'threshold'],
    [{ input: 'a', model: 'nobody' }, 404, 'model_not_found', 'model'],
    [{ input: 'a', model: 'embedder' }, 400, 'model_capability_mismatch', 'model'],
    [{ input: 'a', model: 'svc-embed-v1' }, 400, 'model_capability_mismatch', 'model'],
    [{ input: 'x'.repeat(9000), model: 'guard' }, 400, 'context_length_exceeded', 'input[0]'],
  ])('%j is %d %s', async (body, status, code, param) => {
    const reply = await post(body);
    expect([reply.status, reply.json()]).toMatchObject([status, { error: { code, param } }]);
  });
});

describe('thresholds', () => {
  test('are set for each category, and a wrong value prevents the start', async () => {
    const env = { ASKD_MODERATION_THRESHOLDS: '{"hate":1,"violence":0}' };
    const strict = await openDaemonWith(
      { classifier: await onnxClassifier({ labels: KOALA, problem: 'multi_label_classification' }) },
      env,
    );
    onTestFinished(strict.close);
    const reply = await strict.call('POST', '/v1/moderate', {
      token: strict.key,
      body: { model: 'classifier', input: 'fire' },
    });
    const [result] = reply.json<Result>().results;
    expect(result).toMatchObject({ flagged: true, categories: { hate: false, violence: true } });
    for (const wrong of ['{"hate":2}', '{"spam":0.5}', 'half', '[]x']) {
      await expect(openDaemonWith({}, { ASKD_MODERATION_THRESHOLDS: wrong })).rejects.toMatchObject({
        code: 'config_invalid',
      });
    }
  });
});

describe('a classifier with unknown labels', () => {
  test('is refused with how to describe them, and accepted once they are described', async () => {
    const folder = join(temporaryFolder(), 'model');
    mkdirSync(folder);
    const labels = { toxic: ['fire'], fine: ['cat'] };
    const { path } = await onnxClassifier({ labels, problem: 'single_label_classification' });
    cpSync(path, folder, { recursive: true });
    const importIt = () => daemon.call('POST', '/api/daemon/import', { body: { path: folder, id: 'toxic' } });
    const refusal = await importIt();
    expect([refusal.status, refusal.text]).toEqual([400, expect.stringContaining('askd.json')]);
    expect(refusal.text).toContain('toxic, fine');
    const rules = Object.fromEntries(
      MODERATION_CATEGORIES.map((name) => [name, { greatestOf: [] as string[] }]),
    );
    const write = (written: object) =>
      writeFileSync(join(folder, 'askd.json'), JSON.stringify({ moderation: { labels: written } }));
    write({ ...rules, hate: { greatestOf: ['nasty'] } });
    expect((await importIt()).text).toContain('nasty');
    write({ ...rules, harassment: { greatestOf: ['toxic'] } });
    expect((await importIt()).status).toBe(201);
    const [result] = await moderate({ model: 'toxic', input: 'fire' });
    expect(result).toMatchObject({ flagged: true, categories: { harassment: true, hate: false } });
  });
});

test('a model that only recites cannot moderate: it never answers yes or no, so its score is between the two', async () => {
  const reciter = await openDaemonWith({ reciter: await scriptedModel('A fixed text.') });
  onTestFinished(reciter.close);
  const reply = await reciter.call('POST', '/v1/moderate', {
    token: reciter.key,
    body: { model: 'reciter', input: 'anything' },
  });
  expect(reply.json<Result>().results[0]?.category_scores['hate']).toBeCloseTo(0.5, 5);
});
