import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { writeScriptedModel } from '../fixtures/scripted-model.ts';
import { writeSyntheticModel } from '../../src/gguf/synthetic-model.ts';
import { idleMemoryMegabytes, startAskd, timeVersionMs } from './overhead/askd.ts';
import { openDaemonSide } from './overhead/daemon-side.ts';
import { startDefaults, startEngine } from './overhead/in-process.ts';
import { reportJson, reportText, type Measured, type ModelName } from './overhead/report.ts';
import { measureRounds, type Plan } from './overhead/rounds.ts';
import { CONTEXT_TOKENS, STREAMS_MAX } from './overhead/sides.ts';

const FULL: Plan = { rounds: 5, tokens: 64, firstTokenPrompts: 8, deadlineMs: 15_000 };
const QUICK: Plan = { rounds: 2, tokens: 48, firstTokenPrompts: 4, deadlineMs: 8_000 };
const VERSION_RUNS = 9;

/** With the tiny one nearly all the time is overhead; the synthetic one takes what a real small model does. */
const MODELS: Record<ModelName, (file: string) => Promise<unknown>> = {
  tiny: (file) => writeScriptedModel(file, { text: 'and so on, ', endless: true }),
  synthetic: writeSyntheticModel,
};

const { values: options } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
});
// An interrupted run still stops what it started: the next step throws.
const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => interrupted.abort(new Error(`Interrupted by ${signal}`)));
}

const plan = options.quick ? QUICK : FULL;
const versionMs: number[] = [];
for (let run = 0; run < VERSION_RUNS; run++) versionMs.push(await timeVersionMs());
const tiny = await measure('tiny', plan);
const synthetic = { ...(await measure('synthetic', plan)), versionMs };
const all = [synthetic, tiny];
console.log(options.json ? JSON.stringify(all.map(reportJson), null, 2) : all.map(reportText).join('\n\n'));

async function measure(model: ModelName, plan: Plan): Promise<Measured> {
  const load = [loadavg()[0] ?? 0];
  const folder = await mkdtemp(path.join(tmpdir(), 'askd-bench-model-'));
  try {
    const file = path.join(folder, `${model}.gguf`);
    print(`writing the ${model} model`);
    await MODELS[model](file);
    const results = await measureSides(file, plan);
    return {
      ...results,
      model,
      versionMs: [],
      cores: availableParallelism(),
      load: [...load, loadavg()[0] ?? 0],
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measureSides(file: string, plan: Plan) {
  print('starting the daemon');
  await using askd = await startAskd({
    ASKD_MODEL_SLOTS: String(STREAMS_MAX),
    ASKD_MODEL_CONTEXT_TOKENS: String(CONTEXT_TOKENS),
  });
  const idleMegabytes = await idleMemoryMegabytes(askd.pid);
  print('loading the model three times');
  await using daemon = await openDaemonSide(askd, file);
  await using engine = await startEngine(file, daemon.threads);
  await using defaults = await startDefaults(file);
  const onRound = (round: number) => print(`round ${round} of ${plan.rounds}`);
  const rounds = await measureRounds({ defaults, engine, daemon }, plan, onRound, interrupted.signal);
  const threads = { defaults: defaults.threads, engine: engine.threads, daemon: daemon.threads };
  return { rounds, idleMegabytes, threads };
}

function print(text: string): void {
  process.stderr.write(`${text}\n`);
}
