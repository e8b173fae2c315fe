import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ACCOUNT_ID } from '../../../daemon/auth/account.ts';
import { compose } from '../../../daemon/compose.ts';
import { startLoops } from '../../../daemon/jobs.ts';
import { createServer } from '../../../daemon/http/server.ts';
import { loadSettings, readEnvironment } from '../../../src/config/config.ts';
import { readOnnxFolder } from '../../../src/library/formats/onnx-folder.ts';
import { openLog } from '../../../src/log/log.ts';
import type { ModelManifest } from '../../../src/runtime/manifest.ts';
import { answerQuestions } from '../overhead/child.ts';
import type { FromHost, ToHost } from './daemon-side.ts';

/** The whole daemon in this process, whose runner can also be asked without going through the API. */
const never = new AbortController().signal;
let open: Awaited<ReturnType<typeof start>> | undefined;

answerQuestions<ToHost, FromHost>(async (question) => {
  if (question.type === 'open') {
    open = await start(question);
    return { type: 'opened', port: open.port, key: open.key };
  }
  if (!open) throw new Error('No model is open');
  return transcribe(open);
});

async function start({ model, id, clip }: Extract<ToHost, { type: 'open' }>) {
  const settings = await loadSettings(readEnvironment());
  const { log } = openLog({ paths: settings.paths, level: settings.logLevel });
  const services = compose({ settings, log });
  const manifest: ModelManifest = {
    ...{ id, path: model, services: [], tier: 'imported' },
    ...readOnnxFolder(model),
  };
  services.library.install(manifest, []);
  const server = createServer(services);
  await server.listen({ host: settings.host, port: 0 });
  await startLoops(services);
  const address = server.server.address();
  const { key } = services.keys.create({
    ...{ accountId: ACCOUNT_ID, name: 'bench', scopes: ['chat'], expiresAt: null },
  });
  const port = typeof address === 'object' && address ? address.port : 0;
  // The runner's sandbox shows it the uploads, not the clip's own folder.
  const path = join(settings.paths.uploads, 'bench-clip.wav');
  await mkdir(settings.paths.uploads, { recursive: true });
  await copyFile(clip, path);
  return { pool: services.pool, secondsMax: settings.audioSecondsMax, manifest, path, port, key };
}

/** The request that the daemon makes from a form with nothing but a file and a model. */
async function transcribe({ pool, manifest, secondsMax, path }: NonNullable<typeof open>): Promise<FromHost> {
  using slot = await pool.slot(manifest, never);
  const { transcribe } = slot.runner;
  if (!transcribe) throw new Error('This model does not transcribe');
  const startedAt = performance.now();
  let text = '';
  const request = { path, secondsMax, task: 'transcribe', temperature: 0, words: false } as const;
  for await (const event of transcribe(request, never)) {
    if (event.type === 'segment') text += event.segment.text;
  }
  return { type: 'heard', ms: performance.now() - startedAt, text: text.trim() };
}
