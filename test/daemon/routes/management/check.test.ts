import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CheckProgress, ModelCheck } from '../../../../src/api/management/check.ts';
import { openDaemonWith, type ChatDaemon } from '../../../helpers/daemon/chat.ts';
import { endlessModel, randomModel, scriptedModel } from '../../../helpers/models/models.ts';
import { installImageModel, noiseImageModel } from '../../../helpers/models/pictures.ts';
import { toneTranscriber } from '../../../helpers/models/sounds.ts';
import { wordTranslator } from '../../../helpers/models/text-models.ts';

const SAYS = 'Hello from here.';
const USERS_ONLY =
  "{% for m in messages %}{% if m.role == 'user' %}<|im_start|>user\n{{ m.content }}<|im_end|>\n{% endif %}{% endfor %}<|im_start|>assistant\n";

describe('a check', { timeout: 300_000 }, () => {
  let daemon: ChatDaemon;
  let cut: string;
  const folder = mkdtempSync(join(tmpdir(), 'askd-test-'));
  beforeAll(async () => {
    const random = await randomModel('qwen2', { contextTokens: 2048 });
    const scripted = await scriptedModel(SAYS, { contextTokens: 2048 });
    cut = copyOf('cut', scripted.path, () => undefined);
    daemon = await openDaemonWith({
      random,
      endless: await endlessModel({ contextTokens: 2048 }),
      silent: await scriptedModel(SAYS, { contextTokens: 2048, chatTemplate: '{{ "You are helpful." }}' }),
      forgetful: await scriptedModel(SAYS, { contextTokens: 2048, chatTemplate: USERS_ONLY }),
      lossy: { path: copyOf('lossy', scripted.path, loseTheLetterE) },
      damaged: { path: copyOf('damaged', random.path, damageTheWeights) },
      cut: { path: cut },
      listener: await toneTranscriber(),
      translator: await wordTranslator({ de: ['berlin', 'sun'] }),
    });
    installImageModel(daemon.services, await noiseImageModel());
  }, 120_000);
  afterAll(async () => {
    await daemon.close();
    rmSync(folder, { recursive: true });
  });

  const copyOf = (name: string, path: string, change: (bytes: Buffer) => void) => {
    const bytes = readFileSync(path);
    change(bytes);
    const copy = join(folder, `${name}.gguf`);
    writeFileSync(copy, bytes);
    return copy;
  };
  /** A full check, which no machine is too slow for: the contexts here are short. */
  const check = async (model: string) => {
    const reply = await daemon.call('POST', '/api/daemon/check', { body: { model, full: true } });
    const events = reply.text
      .split('\n')
      .flatMap((line) => (/^data: {/.test(line) ? [JSON.parse(line.slice(6)) as CheckProgress] : []));
    return { reply, events, done: events.at(-1)?.check as ModelCheck };
  };
  const steps = ({ steps: all }: ModelCheck) =>
    Object.fromEntries(all.map(({ name, status }) => [name, status]));

  test('of a model that says nothing sensible rates it weak, not broken, and measures it', async () => {
    const { events, done } = await check('random');
    expect(done.summary).toMatch(
      /^usable for chat \(weak: .*context\), tools in .*, no vision, [\d.]+ tokens\/s$/,
    );
    expect(steps(done)).toMatchObject({
      ...{ load: 'passed', template: 'passed', 'end of turn': 'passed', tokenizer: 'passed' },
      ...{ schema: 'passed', speed: 'passed', context: 'weak', memory: 'passed' },
    });
    expect(Object.keys(done.tokens_per_second)).toEqual(['1', '4', '8']);
    const states = events.map(({ state, name, step }) => [state, name ?? step?.name]);
    expect(states.slice(0, 3)).toEqual([
      ['running', 'load'],
      ['finished', 'load'],
      ['running', 'tokenizer'],
    ]);
  });

  test('stays with the model, which is left as it was found', async () => {
    const { done } = await check('starter-embed');
    const { artifacts } = (await daemon.call('GET', '/api/daemon/artifacts')).json<{
      artifacts: { id: string; check?: ModelCheck }[];
    }>();
    expect(artifacts.find(({ id }) => id === 'starter-embed')?.check).toEqual(done);
    expect(artifacts.find(({ id }) => id === 'endless')?.check).toBeUndefined();
    expect(daemon.services.pool.status().filter(({ artifact }) => artifact === 'starter-embed')).toEqual([]);
  });

  test('leaves a model in memory that was requested meanwhile', async () => {
    const { pool } = daemon.services;
    const here = () => pool.status().find(({ artifact }) => artifact === 'random');
    const checking = check('random');
    await expect.poll(() => here()?.state, { timeout: 60_000 }).toBe('loaded');
    const body = { model: 'random', pin: true };
    expect((await daemon.call('POST', '/api/daemon/load', { body })).status).toBe(200);
    await checking;
    expect(here()).toMatchObject({ state: 'loaded', pinned: true });
    await pool.stop('random');
  });

  test.each([
    ['endless', 'end of turn', /never ends its turn/],
    ['silent', 'load', /template drops the user's messages/],
    ['forgetful', 'template', /template drops .*the arguments of a call/],
    ['lossy', 'tokenizer', /loses text.*came back as/],
    ['damaged', 'end of turn', /computes NaN/],
    ['cut', 'load', /cannot be loaded/],
  ])('names what is broken in the model "%s": its %s', async (model, step, reason) => {
    if (model === 'cut') truncateSync(cut, 5000);
    const { done } = await check(model);
    expect([done.verdict, done.summary]).toEqual(['broken', expect.stringMatching(/^broken: /)]);
    const last = done.steps.find(({ status }) => status === 'failed');
    expect([last?.name, last?.message]).toEqual([step, expect.stringMatching(reason)]);
  });

  test.each([
    ['starter-chat', /^usable for chat \(weak: .*\), tools in its own format, no vision, \d+ tokens\/s$/],
    ['starter-embed', /^good for embeddings, 1024 dimensions$/],
    ['starter-rerank', /^good for ranking$/],
    ['starter-moderation', /^good for moderation$/],
    ['starter-voice', /^good for speech$/],
    ['listener', /^usable for transcription \(weak: transcription\)$/],
    ['translator', /^(good|usable) for translation/],
    ['painter', /^good for images$/],
  ])('recognises what kind of model "%s" is', async (model, summary) => {
    const { done } = await check(model);
    expect(done.summary).toMatch(summary);
  });

  test('reports a model that is slower than before', async () => {
    const { store } = daemon.services;
    store
      .prepare(`UPDATE model_checks SET tokens_per_second = '{"1":1000000}' WHERE artifact = 'random'`)
      .run();
    const { done } = await check('random');
    expect(done.steps.find(({ name }) => name === 'speed')).toMatchObject({
      status: 'weak',
      message: expect.stringMatching(/slower than when it was checked on \d{4}-\d\d-\d\d: 1000000 tokens\/s/),
    });
  });

  test('of a service model checks what is bound to it, and is an error if nothing is', async () => {
    expect((await check('svc-embed-v1')).done.artifact).toBe('starter-embed');
    const { reply } = await check('nobody');
    expect([reply.status, reply.text]).toEqual([404, expect.stringContaining('askd models')]);
  });
});

/** In the vocabulary, where each byte has a token, one token gets a name that no text contains. */
function loseTheLetterE(bytes: Buffer): void {
  const name = (letter: string) =>
    Buffer.concat([Buffer.from([1, 0, 0, 0, 0, 0, 0, 0]), Buffer.from(letter)]);
  const at = bytes.indexOf(Buffer.concat([name('d'), name('e')]));
  expect(at).toBeGreaterThan(0);
  bytes[at + 17] = 1;
}

function damageTheWeights(bytes: Buffer): void {
  bytes.fill(0xff, bytes.length - 4096);
}
