import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compose } from '../../../daemon/compose.ts';
import { closeServer, createServer } from '../../../daemon/http/server.ts';
import { diffusion } from '../../../models/engines/diffusion.ts';
import { finish } from '../../../models/engines/diffusion/encode-image.ts';
import { loadSettings, readEnvironment } from '../../../src/config/config.ts';
import { createCalibrations } from '../../../src/library/calibrations.ts';
import { openLog } from '../../../src/log/log.ts';
import { packageRoot } from '../../../src/base/paths.ts';
import type { DrawRequest } from '../../../src/runtime/engine.ts';
import type { ModelManifest } from '../../../src/runtime/manifest.ts';
import { writeNoiseImageModel } from '../../fixtures/images/noise-model.ts';
import type { Figure } from '../accounts/report.ts';
import { median } from '../overhead/timing.ts';

const REQUEST: DrawRequest = {
  ...{ prompt: 'a cat', width: 1024, height: 1024, seed: 1, format: 'jpeg', drafts: 0, steps: 20 },
};
const FORMATS = ['png', 'jpeg', 'webp'] as const;
const never = new AbortController().signal;

/** An image by the engine alone and through the API, in turns, and the time of encoding it. */
export async function* measureImages(rounds: number): AsyncGenerator<Figure> {
  const home = mkdtempSync(join(tmpdir(), 'askd-bench-'));
  try {
    const manifest = await writeImageModel(home);
    const [engine, http] = [await openEngine(manifest), await openHttp(manifest, home)];
    try {
      const times = { engine: [] as number[], http: [] as number[] };
      await http.draw();
      for (let round = 0; round < rounds; round++) {
        times.engine.push(await timeOf(engine.draw));
        times.http.push(await timeOf(http.draw));
      }
      const added = median(times.http.map((ms, round) => ms - (times.engine[round] ?? Number.NaN)));
      yield { label: 'the engine alone', unit: 'ms', value: median(times.engine) };
      yield { label: 'through the API', unit: 'ms', value: median(times.http) };
      yield { label: 'added (median of the pairs)', unit: 'ms', value: added };
      const drawn = Buffer.from(await engine.draw('png'));
      for (const format of FORMATS) {
        const value = await timeOf(() => finish(drawn, { ...REQUEST, format }));
        yield { label: `scaling, and into ${format}`, unit: 'ms', value };
      }
    } finally {
      await Promise.all([engine.close(), http.close()]);
    }
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

async function writeImageModel(home: string): Promise<ModelManifest> {
  const path = join(home, 'painter.safetensors');
  await writeNoiseImageModel(path);
  return {
    ...{
      id: 'painter',
      name: 'painter',
      engine: 'diffusion',
      tasks: ['draw'],
      services: [],
      tier: 'imported',
    },
    ...{ licence: 'Apache-2.0', path, bytes: 417_000_000, contextTokensMax: 0 },
    drawing: { side: 64, steps: 20, guidance: 1 },
  };
}

async function openEngine(manifest: ModelManifest) {
  const modules = join(packageRoot, 'node_modules');
  const session = await diffusion.load(manifest, { slots: 1, contextTokens: 0, threads: 1, modules }, never);
  return {
    draw: async (format: DrawRequest['format'] = REQUEST.format): Promise<Uint8Array> => {
      for await (const event of session.draw?.({ ...REQUEST, format }, never) ?? []) {
        if (event.type === 'picture') return event.picture;
      }
      throw new Error('The engine drew nothing');
    },
    close: () => session[Symbol.asyncDispose](),
  };
}

async function openHttp(manifest: ModelManifest, home: string) {
  const settings = await loadSettings(readEnvironment({ ASKD_HOME: join(home, 'askd') }));
  const { log, close } = openLog({ paths: settings.paths, level: 'error' });
  const services = compose({ settings, log });
  const { library, store, clock, keys } = services;
  const { key } = keys.create({ accountId: 'acct_local', name: 'bench', scopes: ['chat'], expiresAt: null });
  library.install(manifest, []);
  createCalibrations({ store, clock }).keep(manifest, { threads: 1, measurements: [] });
  const server = createServer(services);
  const address = await server.listen({ host: '127.0.0.1', port: 0 });
  services.boot.listensOn(Number(new URL(address).port));
  const { steps, seed, prompt, format } = REQUEST;
  const body = {
    model: manifest.id,
    prompt,
    seed,
    steps,
    output_format: format,
    response_format: 'b64_json',
  };
  return {
    draw: async (): Promise<unknown> => {
      const reply = await fetch(`${address}/v1/images/generations`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      if (!reply.ok) throw new Error(await reply.text());
      return reply.json();
    },
    async close(): Promise<void> {
      await closeServer(server, services);
      await services.close();
      await close();
    },
  };
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
