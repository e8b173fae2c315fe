import { describe, expect, test } from 'vitest';
import { withSamplingOfFile } from '../../../../src/library/formats/gguf-sampling.ts';
import type { ModelManifest } from '../../../../src/runtime/manifest.ts';
import { startDaemon } from '../../../helpers/daemon/daemon.ts';
import { randomModel } from '../../../helpers/models/models.ts';

const ALL = { temp: 0.6, top_p: 0.95, top_k: 20, min_p: 0.05, penalty_repeat: 1.1, penalty_last_n: 128 };

async function manifestWith(sampling: Record<string, number>, engine = 'llama') {
  const { path } = await randomModel('llama', { sampling });
  return { id: 'm', engine, path } as ModelManifest;
}

describe('the sampling that a file recommends', () => {
  test('is what llama.cpp reads from it', async () => {
    expect(withSamplingOfFile(await manifestWith(ALL)).defaults).toEqual({
      sampling: {
        ...{ temperature: 0.6, topP: 0.95, topK: 20, minP: 0.05 },
        ...{ repeatPenalty: 1.1, repeatLastTokens: 128 },
      },
    });
  });

  test('may ask for all tokens as candidates, with any number below 1', async () => {
    expect(withSamplingOfFile(await manifestWith({ top_k: -1 })).defaults).toEqual({ sampling: { topK: 0 } });
  });

  test('yields to the parameters of a Modelfile', async () => {
    const defaults = { system: 'Be brief.', sampling: { temperature: 0.2 } };
    expect(withSamplingOfFile({ ...(await manifestWith(ALL)), defaults }).defaults).toMatchObject({
      system: 'Be brief.',
      sampling: { temperature: 0.2, topP: 0.95 },
    });
  });

  test.each([
    ['temp', -1],
    ['temp', 1e6],
    ['temp', Number.NaN],
    ['top_p', 0],
    ['top_k', 1.5],
    ['min_p', 2],
    ['penalty_repeat', 0],
    ['penalty_last_n', -2],
  ])('is ignored if no request could ask for it: %s %d', async (name, value) => {
    expect(withSamplingOfFile(await manifestWith({ [name]: value })).defaults).toBeUndefined();
  });

  test('is not read from the files of other engines, or from a missing file', async () => {
    const other = await manifestWith(ALL, 'onnx');
    expect(withSamplingOfFile(other)).toBe(other);
    const missing = { ...other, engine: 'llama', path: '/nowhere.gguf' } as ModelManifest;
    expect(withSamplingOfFile(missing)).toBe(missing);
  });

  test('applies to requests that set none, and is listed with the model', async () => {
    const { call, key } = await startDaemon();
    const { path } = await randomModel('llama', { sampling: { temp: 0 } });
    const imported = await call('POST', '/api/daemon/import', { body: { path, id: 'greedy' } });
    expect(imported.json()).toMatchObject({ defaults: ['temperature 0'] });
    const say = async (asked: object) => {
      const body = { model: 'greedy', prompt: 'Once', max_tokens: 24, ...asked };
      const answer = await call('POST', '/v1/completions', { token: key, body });
      return answer.json<{ choices: { text: string }[] }>().choices[0]?.text;
    };
    expect(await say({})).toBe(await say({}));
    expect(await say({ temperature: 1, seed: 1 })).not.toBe(await say({}));
  });
});
