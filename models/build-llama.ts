import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Failure } from '../src/base/errors.ts';
import {
  LLAMA_ADDON,
  LLAMA_BUILD_FACTS,
  llamaBuildFolder,
  llamaVersion,
  thisProcessor,
  type LlamaBuildGpu,
} from '../src/config/llama-build.ts';
import { checkBuild } from './llama-build/check.ts';
import { compileEngine, gatherLibraries } from './llama-build/compile.ts';
import { prepareSources } from './llama-build/source.ts';
import { requireTools } from './llama-build/tools.ts';
import { chooseGpu } from './llama-build/toolkits.ts';

/** The child process of `askd engines build`. It reports progress as lines of JSON. */
type Order = { engines: string; jobs: number; gpu?: LlamaBuildGpu };

const order = JSON.parse(process.argv[2] ?? '{}') as Order;
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());

try {
  report({ step: 'done', ...(await build(order, stop.signal)) });
} catch (error) {
  const code = error instanceof Failure ? error.code : 'internal_error';
  report({ step: 'failed', code, message: error instanceof Error ? error.message : String(error) });
  process.exitCode = 1;
}

function report(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

async function build({ engines, jobs, gpu: options }: Order, signal: AbortSignal) {
  if (process.platform === 'win32') {
    throw new Failure('engine_not_installed', 'Compiling the engine works on Linux and macOS only.');
  }
  report({ step: 'tools' });
  await requireTools();
  const gpu = await chooseGpu(options);
  const place = llamaBuildFolder(engines);
  const work = join(`${place}.work`, gpu);
  mkdirSync(work, { recursive: true });
  report({ step: 'sources', gpu });
  const source = join(work, 'source');
  await prepareSources(source, signal);
  report({ step: 'compile', percent: 0 });
  const objects = join(work, 'objects');
  const onPercent = (percent: number) => report({ step: 'compile', percent });
  const { openmp } = await compileEngine({ source, objects, gpu, jobs, onPercent, signal });
  const fresh = `${place}.fresh`;
  rmSync(fresh, { recursive: true, force: true });
  gatherLibraries(objects, fresh);
  if (!existsSync(join(fresh, LLAMA_ADDON))) {
    throw new Failure('model_load_failed', `The compiler did not produce ${LLAMA_ADDON} in ${objects}.`);
  }
  report({ step: 'check' });
  const { compared } = await checkBuild(fresh, signal);
  const facts = {
    version: llamaVersion(),
    processor: thisProcessor(),
    gpu,
    openmp,
    builtAt: new Date().toISOString(),
  };
  writeFileSync(join(fresh, LLAMA_BUILD_FACTS), JSON.stringify(facts, null, 2));
  rmSync(place, { recursive: true, force: true });
  mkdirSync(dirname(place), { recursive: true });
  renameSync(fresh, place);
  rmSync(`${place}.work`, { recursive: true, force: true });
  return { ...facts, folder: place, compared };
}
