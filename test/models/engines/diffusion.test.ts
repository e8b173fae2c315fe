import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startImageGenerator } from '../../../models/engines/diffusion/generator-process.ts';
import { diffusion } from '../../../models/engines/diffusion.ts';
import { writeTinyKlein } from '../../../scripts/fixtures/images/tiny-klein.ts';
import { packageRoot } from '../../../src/base/paths.ts';
import type { DrawEvent, DrawRequest, Session } from '../../../src/runtime/engine.ts';
import type { ModelManifest } from '../../../src/runtime/manifest.ts';
import { makeOnce } from '../../helpers/models/models.ts';
import { noiseImageModel } from '../../helpers/models/pictures.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const SLOW_MS = 180_000;
const modules = join(packageRoot, 'node_modules');
const never = new AbortController().signal;
const load = (manifest: ModelManifest, folder: string | undefined = modules) =>
  diffusion.load(
    manifest,
    { slots: 1, contextTokens: 0, threads: 1, ...(folder !== undefined && { modules: folder }) },
    never,
  );

const request: DrawRequest = {
  ...{ prompt: 'a cat', width: 1024, height: 1024, seed: 1, format: 'png', drafts: 0 },
};

async function drawWith(session: Session, changes: Partial<DrawRequest> = {}, signal = never) {
  const events: DrawEvent[] = [];
  for await (const event of session.draw?.({ ...request, ...changes }, signal) ?? []) events.push(event);
  return events;
}

describe('the diffusion engine', () => {
  let session: Session;
  beforeAll(async () => {
    session = await load(await noiseImageModel());
  }, SLOW_MS);
  afterAll(() => session[Symbol.asyncDispose]());

  test('reports its device and memory, and that it generates one image at a time', () => {
    expect(session.description).toMatchObject({ slots: 1, threads: 1, device: 'cpu' });
    expect(session.description.memory?.ram).toBeGreaterThan(400e6);
    expect(session.helperMemoryBytes?.()).toBeGreaterThan(300e6);
  });

  test('generates two images one after the other', { timeout: SLOW_MS }, async () => {
    const both = await Promise.all([drawWith(session), drawWith(session, { seed: 2, format: 'webp' })]);
    expect(both.map((events) => events.at(-1)?.type)).toEqual(['picture', 'picture']);
  });

  test(
    'stops between two steps, and the next image comes from the same process',
    { timeout: SLOW_MS },
    async () => {
      const stop = new AbortController();
      const events: DrawEvent[] = [];
      for await (const event of session.draw?.({ ...request, steps: 1000 }, stop.signal) ?? []) {
        events.push(event);
        if (event.type === 'step' && event.step === 2) stop.abort();
      }
      expect(events.every(({ type }) => type === 'step')).toBe(true);
      // A step takes some tens of milliseconds, but this process may be delayed for seconds.
      expect(events.length).toBeLessThan(200);
      expect((await drawWith(session)).at(-1)?.type).toBe('picture');
      expect(await drawWith(session, {}, stop.signal)).toEqual([]);
    },
  );
});

test(
  'a process that does not stop is killed, and the next request starts another',
  { timeout: SLOW_MS },
  async () => {
    const { path } = await noiseImageModel();
    const generator = await startImageGenerator({
      place: { modules, bare: bareOf(modules) },
      load: { files: { model: path }, threads: 1 },
      name: 'painter',
      signal: never,
      cancelGraceMs: 0,
    });
    const stop = new AbortController();
    const order = {
      prompt: 'x',
      negativePrompt: '',
      width: 64,
      height: 64,
      guidance: 1,
      seed: 1,
      isTiled: false,
    };
    const onStep = () => stop.abort();
    expect(await generator.draw({ ...order, steps: 100 }, { signal: stop.signal, onStep })).toBeUndefined();
    await generator.close();
    expect([generator.alive, generator.memoryBytes()]).toEqual([false, 0]);
  },
);

test('gives its memory back when it is closed', { timeout: SLOW_MS }, async () => {
  const session = await load(await noiseImageModel());
  await session[Symbol.asyncDispose]();
  expect(session.helperMemoryBytes?.()).toBe(0);
  await expect(drawWith(session)).rejects.toMatchObject({ code: 'shutting_down' });
});

test('generates with a model of three files, as FLUX.2 klein has them', { timeout: SLOW_MS }, async () => {
  const folder = await makeOnce('tiny-klein', {}, writeTinyKlein);
  const session = await load({
    ...(await noiseImageModel()),
    path: join(folder, 'model.safetensors'),
    files: {
      'text-encoder': join(folder, 'text-encoder.gguf'),
      decoder: join(folder, 'decoder.safetensors'),
    },
  });
  const last = (await drawWith(session, { width: 1792, format: 'jpeg', steps: 1 })).at(-1);
  await session[Symbol.asyncDispose]();
  if (last?.type !== 'picture') throw new Error('no image');
  expect(await sharp(last.picture).metadata()).toMatchObject({ format: 'jpeg', width: 1792, height: 1024 });
});

test("a file that is not a model is refused with the library's reason", { timeout: SLOW_MS }, async () => {
  const path = join(temporaryFolder(), 'nonsense.safetensors');
  writeFileSync(path, 'nonsense');
  await expect(load({ ...(await noiseImageModel()), path })).rejects.toMatchObject({
    code: 'invalid_model_file',
    message: expect.stringContaining('get sd version from file failed'),
  });
});

test('names the command that installs its packages when they are missing', async () => {
  const manifest = await noiseImageModel();
  for (const folder of [temporaryFolder(), '']) {
    await expect(load(manifest, folder)).rejects.toMatchObject({
      code: 'engine_not_installed',
      message: expect.stringContaining('askd engines install diffusion'),
    });
  }
});

test('a runtime that cannot be started is a crash with its reason', async () => {
  const folder = temporaryFolder();
  const bare = bareOf(folder);
  mkdirSync(join(bare, '..'), { recursive: true });
  writeFileSync(bare, '#!/bin/sh\nexit 7\n');
  chmodSync(bare, 0o755);
  await expect(load(await noiseImageModel(), folder)).rejects.toMatchObject({
    code: 'runner_crashed',
    message: expect.stringContaining('code 7'),
  });
});

function bareOf(folder: string): string {
  return join(folder, `bare-runtime-${process.platform}-${process.arch}`, 'bin', 'bare');
}
