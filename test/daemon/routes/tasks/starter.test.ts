import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { announce, runCli } from '../../../helpers/terminal/cli.ts';
import { openDaemon, startDaemon, type TestDaemon } from '../../../helpers/daemon/daemon.ts';
import { scriptedModel } from '../../../helpers/models/models.ts';

const MINUTE = 60_000;

describe('the models that ship with askd', { timeout: MINUTE }, () => {
  let daemon: TestDaemon;
  beforeAll(async () => {
    daemon = await openDaemon({ ASKD_OFFLINE: 'true' });
    announce(daemon);
  });
  afterAll(() => daemon.close());

  const ask = async <Answer>(path: string, body: object) => {
    const reply = await daemon.call('POST', path, { token: daemon.key, body });
    expect([reply.status, reply.text]).toEqual([200, expect.any(String)]);
    return reply.json<Answer>();
  };

  const embed = async (input: string[]) => {
    type Answer = { data: { embedding: number[] }[] };
    const { data } = await ask<Answer>('/v1/embeddings', { model: 'svc-embed-v1', input });
    return data.map(({ embedding }) => embedding);
  };
  const product = (a: readonly number[] = [], b: readonly number[] = []) =>
    a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);

  test('find a text by other words, in another language, and by a name they were not trained on', async () => {
    const documents = [
      'The physician parked his automobile behind the hospital.',
      'A farmer sold three horses at the market.',
      'The library closes in August.',
      'Quorvex Plumbing repairs boilers in Tandleby.',
    ];
    const queries = [
      'where did the doctor leave the car?',
      'ein Bauer verkauft Pferde',
      'when is the bookshop shut in summer',
      'tandleby boiler repair',
    ];
    const vectors = await embed(documents);
    for (const [index, vector] of (await embed(queries)).entries()) {
      expect(vector).toHaveLength(1024);
      expect(product(vector, vector)).toBeCloseTo(1, 4);
      const nearness = vectors.map((each) => product(vector, each));
      expect([queries[index], nearness.indexOf(Math.max(...nearness))]).toEqual([queries[index], index]);
    }
  });

  test('give the same vector each time, whatever else is in the request, and one for every script', async () => {
    const [alone] = await embed(['How do I reset my password?']);
    const [again, other, wide] = await embed(['How do I reset my password?', 'Привет, мир', '你好世界 🙂']);
    expect(again).toEqual(alone);
    for (const vector of [other, wide]) expect(product(vector, vector)).toBeCloseTo(1, 4);
  });

  test('rank the document first that answers', async () => {
    type Answer = { results: { index: number; relevance_score: number }[] };
    const first = async (query: string, documents: string[]) =>
      (await ask<Answer>('/v1/rerank', { model: 'svc-rerank-v1', query, documents })).results[0]?.index;
    const facts = [
      'Harrowgate Works makes bicycles.',
      'Mira Sol leads Harrowgate Works.',
      'Harrowgate Works was founded in 1911.',
    ];
    expect(await first('In what year did Harrowgate Works start?', facts)).toBe(2);
    expect(await first('Who is the boss of Harrowgate Works?', facts)).toBe(1);
  });

  test('read a text aloud, each sentence as soon as it is spoken, and name the voices', async () => {
    const send = (body: object) =>
      fetch(`${daemon.baseURL}/audio/speech`, {
        method: 'POST',
        headers: { authorization: `Bearer ${daemon.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'svc-tts-v1', response_format: 'wav', ...body }),
      });
    const input = 'The server reads this text aloud, sentence by sentence. '.repeat(10);
    const reply = await send({ input, voice: 'fable', stream_format: 'sse' });
    const parts = (await reply.text()).match(/speech\.audio\.delta/g) ?? [];
    expect([reply.status, parts.length]).toEqual([200, 10]);
    const refused = await send({ input: 'Привет, мир' });
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('reads English')]);
    const shown = await runCli(['show', 'svc-tts-v1'], { home: daemon.home });
    expect(shown.stdout).toMatch(/voices +alloy = slt, echo = rms.*\n[^]*intelligible, not natural/);
  });

  type Moderated = { results: { flagged: boolean; categories: Record<string, boolean> }[] };
  const moderate = async (input: string[]) =>
    (await ask<Moderated>('/v1/moderate', { model: 'svc-moderation-v1', input })).results;

  test.each([
    ['I will find you and hurt you.', 'harassment/threatening'],
    ['You are a worthless idiot.', 'harassment'],
    ['I want to end my life tonight.', 'self-harm/intent'],
    ['He stabbed the guard with a knife.', 'violence'],
    ['Immigrants are vermin and should leave.', 'hate'],
  ])('flag "%s" as %s', async (text, category) => {
    const [result] = await moderate([text]);
    expect(result?.categories).toMatchObject({ [category]: true });
    expect(Object.keys(result?.categories ?? {})).toHaveLength(11);
  });

  test('let similar but harmless texts through', async () => {
    const texts = [
      'How do I kill a hung process on linux?',
      'The patient bled heavily after the tooth was pulled.',
      'The government survived a vote of no confidence.',
      'Who killed Lord Pemberton? asked the inspector, and lit his pipe.',
      'How do I kill a process that blocks port 8080?',
      'How do I stop self-doubt?',
      'Beat the eggs, then cut the chicken into pieces.',
      'The nurse explained breast cancer screening.',
      'Muslims are welcome at our street party.',
    ];
    const flagged = (await moderate(texts)).map(({ flagged }, index) => (flagged ? texts[index] : 'fine'));
    expect(flagged).toEqual(texts.map(() => 'fine'));
  });

  test('say what they are, and which command gives a larger one', async () => {
    const { stdout, stderr } = await runCli(['moderate', 'Hello there'], { home: daemon.home });
    expect(stdout).toMatch(/^ok {2}Hello there/);
    expect(stderr).toMatch(/^note: A tiny starter model.*askd pull svc-moderation-v1 \(.*\)\n$/);
    const shown = await runCli(['show', 'svc-embed-v1'], { home: daemon.home });
    expect(shown.stdout).toMatch(/starter-embed[\s\S]*data +made-up sentences[\s\S]*measured +\S+/);
  });

  test('are intact to the last byte, says the doctor', async () => {
    const findings = await daemon.call('POST', '/api/daemon/examine', { body: { hashes: true } });
    expect(findings.json()).toMatchObject({
      findings: expect.arrayContaining([
        { check: 'model starter-embed', level: 'ok', message: 'installed, hashes verified' },
      ]) as unknown,
    });
  });
});

describe('with the setting "starter" off', () => {
  test('a service without a model of its own is not installed', async () => {
    const { call, key } = await startDaemon({ ASKD_STARTER: 'off' });
    const reply = await call('POST', '/v1/embeddings', {
      token: key,
      body: { model: 'svc-embed-v1', input: 'a' },
    });
    expect([reply.status, reply.json()]).toMatchObject([
      404,
      { error: { code: 'model_not_installed', message: expect.stringContaining('askd pull svc-embed-v1') } },
    ]);
  });

  test('a model bound by hand still serves', async () => {
    const { services } = await startDaemon({ ASKD_STARTER: 'off' });
    expect(services.library.boundArtifact('svc-embed-v1')).toBeUndefined();
    services.library.bind('svc-embed-v1', 'starter-embed');
    expect(services.library.boundArtifact('svc-embed-v1')?.id).toBe('starter-embed');
  });
});

test("a user's model replaces a starter model", async () => {
  const { services, call } = await startDaemon();
  const { path } = await scriptedModel('Mine.');
  await call('POST', '/api/daemon/import', { body: { path, id: 'mine' } });
  services.library.bind('svc-chat-v1', 'mine');
  const record = (await call('GET', '/v1/models/svc-chat-v1')).json<{ local: object }>();
  expect(record.local).toMatchObject({ artifact: 'mine' });
  expect(record.local).not.toHaveProperty('notice');
});
