import { describe, expect, onTestFinished, test } from 'vitest';
import type { Device, Placement } from '../../../../src/api/management/devices.ts';
import type { LoadedModel } from '../../../../src/api/management/memory.ts';
import { daemonWith, openDaemonWith } from '../../../helpers/daemon/chat.ts';
import { hasSoftwareVulkan, NO_SOFTWARE_VULKAN, scriptedDevices } from '../../../helpers/models/devices.ts';
import { scriptedModel } from '../../../helpers/models/models.ts';

type Refusal = { error: { code: string; message: string; param: string; fix?: string } };

const TEXT = 'The layers lie on a card.';
const SMALL = { ASKD_MODEL_CONTEXT_TOKENS: '512', ASKD_MODEL_SLOTS: '1' };

async function withCards(cards: Parameters<typeof scriptedDevices>[0]) {
  const found = scriptedDevices(cards);
  const daemon = await openDaemonWith({ m: await scriptedModel(TEXT) }, SMALL, undefined, {
    findDevices: () => Promise.resolve(found),
  });
  onTestFinished(daemon.close);
  const place = (body: object) => daemon.call('POST', '/api/daemon/place', { body: { model: 'm', ...body } });
  return { ...daemon, place };
}

describe('a model is placed', () => {
  test('on devices and with layers, which stay chosen until they are reset', async () => {
    const { place } = await withCards([{ name: 'Large' }, { name: 'Small' }]);
    const shown = async (body: object) => (await place(body)).json<Placement>();
    const large = { backend: 'cuda', name: 'Large' };
    const small = { backend: 'cuda', name: 'Small' };
    const nothing = { model: 'm', devices: null, gpu_layers: null, draft: null, projector: null };
    expect(await shown({})).toMatchObject(nothing);
    expect(await shown({ devices: ['small', '0'] })).toMatchObject({ devices: [small, large] });
    expect(await shown({ gpu_layers: 0 })).toMatchObject({ devices: [small, large], gpu_layers: 0 });
    expect(await shown({ gpu_layers: 2 })).toMatchObject({ devices: [small, large], gpu_layers: 2 });
    expect(await shown({ devices: 'auto', gpu_layers: 'auto', split: 'memory' })).toMatchObject(nothing);
  });

  test.each([
    [{ devices: ['9'] }, 'invalid_value', 'devices', 'There is no device 9.', 'askd devices'],
    [{ devices: ['card'] }, 'invalid_value', 'devices', 'is in the names of', 'askd devices'],
    [
      { gpu_layers: 90 },
      'invalid_value',
      'gpu_layers',
      'layers with the output layer, fewer than 90',
      'askd place m --gpu-layers 2',
    ],
    [
      { split: '3,1' },
      'invalid_value',
      'split',
      'takes no ratio such as "3,1"',
      'askd place MODEL --devices 0 --gpu-layers 20',
    ],
    [
      { draft: 'cpu' },
      'invalid_value',
      'draft',
      '"m" has no draft model.',
      'askd bind SERVICE m --draft SMALLER-MODEL',
    ],
    [
      { projector: 'cpu' },
      'invalid_value',
      'projector',
      '"m" has no projector.',
      'askd import FILE --projector FILE',
    ],
    [
      { devices: ['0'], gpu_layers: 2 },
      'insufficient_memory',
      'gpu_layers',
      'and cuda Card 0 has 1 MB.',
      'askd place m --gpu-layers 0',
    ],
  ])('never as %j', async (body, code, param, message, fix) => {
    const { place } = await withCards([{ totalBytes: 1000 }, {}]);
    const { error } = (await place(body)).json<Refusal>();
    expect(error).toMatchObject({ code, param, fix });
    expect(error.message).toContain(message);
    expect((await place({})).json()).toMatchObject({ devices: null, gpu_layers: null });
  });

  test('only on the processor where there is no card', async () => {
    const { place, call, chat } = await withCards([]);
    for (const body of [{ devices: ['0'] }, { gpu_layers: 1 }])
      expect((await place(body)).json<Refusal>().error.message).toContain('has no graphics card');
    expect((await place({ gpu_layers: 0 })).status).toBe(200);
    expect((await chat({})).text).toContain(TEXT);
    const { models } = (await call('GET', '/api/daemon/ps')).json<{ models: LoadedModel[] }>();
    expect(models).toMatchObject([{ device: 'cpu', fallback: null }]);
  });
});

test('a draft model is placed on the processor, and drafts from there', async () => {
  const { place, call, chat, services } = await withCards([]);
  const { path } = await scriptedModel(TEXT);
  await services.library.importArtifact({ id: 'small', path, mode: 'link' });
  const bound = await call('POST', '/api/daemon/bind', {
    body: { service: 'svc-chat-v1', artifact: 'm', draft: 'small' },
  });
  expect(bound.status).toBe(200);
  expect((await place({ draft: 'cpu' })).json()).toMatchObject({ draft: 'cpu', devices: null });
  expect((await chat({ temperature: 0 })).text).toContain(TEXT);
  const { models } = (await call('GET', '/api/daemon/ps')).json<{ models: LoadedModel[] }>();
  expect(models[0]?.drafts?.by).toBe('small');
  expect((await place({ draft: 'auto' })).json()).toMatchObject({ draft: null });
});

/** The processor that presents itself as a card takes half a minute to compile a card's kernels. */
describe.runIf(hasSoftwareVulkan)('on a card of Mesa', { timeout: 400_000 }, () => {
  test('a model says the same as on the processor, ps names the card, and it can be moved off again', async () => {
    const { call, chat } = await daemonWith({ m: await scriptedModel(TEXT) }, SMALL);
    const place = (body: object) => call('POST', '/api/daemon/place', { body: { model: 'm', ...body } });
    const answer = async () => {
      const reply = await chat({ temperature: 0 });
      const { choices } = reply.json<{ choices: { message: { content: string } }[] }>();
      const { models } = (await call('GET', '/api/daemon/ps')).json<{ models: LoadedModel[] }>();
      return { text: choices[0]?.message.content, model: models.find(({ state }) => state === 'loaded') };
    };
    const { devices } = (await call('GET', '/api/daemon/devices')).json<{ devices: Device[] }>();
    const card = devices.find(({ name }) => name.includes('llvmpipe'));
    expect(card).toMatchObject({
      backend: 'vulkan',
      is_automatic: false,
      total_bytes: expect.any(Number) as number,
    });
    expect(await answer()).toMatchObject({ text: TEXT, model: { device: 'cpu', fallback: null } });
    expect((await place({ devices: ['llvmpipe'] })).json()).toMatchObject({ is_loaded: true });
    const onCard = await answer();
    expect(onCard.text).toBe(TEXT);
    expect(onCard.model?.cards).toMatchObject([{ index: card?.index, name: card?.name }]);
    expect(onCard.model?.cards[0]?.bytes).toBeGreaterThan(0);
    expect(onCard.model?.device).toBe(`vulkan ${card?.name ?? ''}`);
    expect(onCard.model?.layers?.on_cards).toBe(onCard.model?.layers?.all);
    await place({ gpu_layers: 0 });
    expect(await answer()).toMatchObject({
      text: TEXT,
      model: { device: 'cpu', fallback: null, layers: null },
    });
  });
});

test.skipIf(hasSoftwareVulkan)(`a model on a card of Mesa is not tested: ${NO_SOFTWARE_VULKAN}`, ({ skip }) =>
  skip(),
);
