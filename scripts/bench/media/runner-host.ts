import { compose } from '../../../daemon/compose.ts';
import { loadSettings, readEnvironment } from '../../../src/config.ts';
import { readOnnxFolder } from '../../../src/library/onnx-folder.ts';
import { openLog } from '../../../src/log.ts';
import type { ModelManifest } from '../../../src/runtime/manifest.ts';
import type { Runner } from '../../../src/runtime/runner.ts';
import { answerQuestions } from '../overhead/child.ts';
import type { FromHost, ToHost } from './runner-side.ts';

/**
 * The daemon's own pool in a process like the daemon's, without its server: what it loads is a runner as the daemon
 * starts it, with the options that the daemon gives it. Only the work of that runner is timed.
 */
const never = new AbortController().signal;
let open: Awaited<ReturnType<typeof load>> | undefined;

answerQuestions<ToHost, FromHost>(async (question) => {
  if (question.type === 'open') {
    open = await load(question.model);
    const { pid, description } = open.runner;
    return { type: 'opened', pid, threads: description.threads };
  }
  if (!open) throw new Error('No model is open');
  return hear(open.runner, { path: question.path, secondsMax: open.secondsMax });
});

async function load(model: string) {
  const settings = await loadSettings(readEnvironment());
  const { log } = openLog({ paths: settings.paths, level: settings.logLevel });
  const { library, pool } = compose({ settings, log });
  const manifest: ModelManifest = {
    ...{ id: 'listener', path: model, services: [], tier: 'imported' },
    ...readOnnxFolder(model),
  };
  library.install(manifest, []);
  const { runner } = await pool.slot(manifest, never);
  return { runner, secondsMax: settings.audioSecondsMax };
}

/** The request that the daemon makes of a form with nothing but a file and a model. */
async function hear({ transcribe }: Runner, sound: { path: string; secondsMax: number }): Promise<FromHost> {
  if (!transcribe) throw new Error('This model writes nothing down');
  const startedAt = performance.now();
  let text = '';
  const request = { ...sound, task: 'transcribe', temperature: 0, words: false } as const;
  for await (const event of transcribe(request, never)) {
    if (event.type === 'segment') text += event.segment.text;
  }
  return { type: 'heard', ms: performance.now() - startedAt, text: text.trim() };
}
