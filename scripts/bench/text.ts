import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { listLoaded } from '../../src/api/management/memory.ts';
import { SHALLOW, writeSyntheticEncoder } from '../fixtures/synthetic-encoder.ts';
import { reportLines, type Figure } from './accounts/report.ts';
import { processorMs, startAskd, threadsOf, type Askd } from './overhead/askd.ts';
import { watchDelays, type Delays } from './text/delays.ts';
import { measureEmbeddings } from './text/embeddings.ts';
import { startEngine } from './text/engine-side.ts';
import { measureFormats } from './text/formats.ts';
import { createPoster, timeEmbeddings } from './text/http.ts';
import { startLlamaServer } from './text/llama-server.ts';
import { measureOnnx } from './text/onnx.ts';
import { CONTEXT_TOKENS, FULL, prefixOf, QUICK, textsOf, type Plan, type Shape } from './text/plan.ts';
import { measureRerank } from './text/rerank.ts';

const DELAY_MS_MAX = 20;
const NUMBER_ANSWERS = 25;
/** `shallow` and `deep` are the models of one and of 24 layers. */
const PARTS: readonly string[] = ['formats', 'onnx', 'shallow', 'deep'];

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    /** Some of the parts, separated by commas. */
    only: { type: 'string', default: PARTS.join() },
    /** The folder of an engine compiled by `askd engines build`, which then evaluates texts together. */
    build: { type: 'string' },
  },
});
const { build } = options;
const plan = options.quick ? QUICK : FULL;
const parts = options.only.split(',');
const unknown = parts.filter((part) => !PARTS.includes(part));
if (unknown.length > 0) throw new Error(`--only takes ${PARTS.join()}, not ${unknown.join()}`);
const folder = await mkdtemp(path.join(tmpdir(), 'askd-bench-text-'));
try {
  const load = [loadavg()[0] ?? 0];
  const figures = [
    ...(parts.includes('formats') ? await measureFormats() : []),
    ...(parts.includes('onnx') ? await measureOnnx(folder, { rounds: plan.rounds, print }) : []),
    ...(await measureServices(plan)),
  ];
  load.push(loadavg()[0] ?? 0);
  if (options.json) console.log(JSON.stringify({ plan, load, figures }, null, 2));
  else {
    const [from, to] = load.map((value) => value.toFixed(1));
    console.log(`${availableParallelism()} cores, load ${from} to ${to}`);
    console.log(reportLines(figures).join('\n'));
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function measureServices({ rounds, shapes: all }: Plan): Promise<Figure[]> {
  const shapes = all.filter(({ depth }) => parts.includes(depth === SHALLOW ? 'shallow' : 'deep'));
  if (shapes.length === 0) return [];
  const delays = watchDelays(folder);
  const settings = {
    ...delays.settings,
    ASKD_MODEL_CONTEXT_TOKENS: String(CONTEXT_TOKENS),
    ...(build !== undefined && { ASKD_EXACT_VECTORS: 'false' }),
  };
  await using askd = await startAskd(settings, { build });
  const late = () => delays.read(askd.pid);
  const figures: Figure[] = [];
  for (const shape of shapes) {
    const part = { shape, rounds, late };
    const embedder = await addModel(askd, 'mean', shape);
    figures.push(...(await measureEmbedder(askd, { ...part, ...embedder })));
    await askd.run('stop', embedder.model);
    const ranker = await addModel(askd, 'rank', shape);
    figures.push(...(await measureRanker(askd, { ...part, ...ranker })));
    await askd.run('stop', ranker.model);
  }
  return figures;
}

async function addModel(askd: Askd, pooling: 'mean' | 'rank', { depth }: Shape) {
  const model = `${pooling}-${depth.layers}`;
  const file = path.join(folder, `${model}.gguf`);
  await writeSyntheticEncoder(file, pooling, depth);
  await askd.run('import', file, '--id', model, '--link', '--no-check');
  return { model, file };
}

type Part = {
  model: string;
  file: string;
  shape: Shape;
  rounds: number;
  late: () => Promise<Delays>;
};

async function measureEmbedder(askd: Askd, { model, file, shape, rounds, late }: Part): Promise<Figure[]> {
  using poster = createPoster(askd.baseUrl, askd.key);
  const embed = (input: readonly string[], encoding_format: 'base64' | 'float' = 'base64') =>
    timeEmbeddings(poster, { model, input, encoding_format });
  await embed(textsOf(1, CONTEXT_TOKENS));
  const threads = await threadsOf(askd, model);
  await using engine = await startEngine({ file, task: 'embed', threads, build });
  const binary = process.env['LLAMA_SERVER_BIN'];
  await using server = binary === undefined ? undefined : await startLlamaServer(binary, { file, threads });
  const taken = { ms: 0, vectors: 0 };
  const sides = {
    engine: engine.embed,
    daemon: async (texts: readonly string[]) => {
      const before = await processorMs(askd.pid);
      const ms = await embed(texts);
      taken.ms += (await processorMs(askd.pid)) - before;
      taken.vectors += texts.length;
      return ms;
    },
    ...(server && { llamaServer: server.embed }),
  };
  await late();
  const prefix = prefixOf(shape);
  const figures = await measureEmbeddings(sides, { shape, rounds, print });
  figures.push(
    { label: `${prefix}threads of every side`, unit: 'n', value: threads },
    ...delayFigures(`${prefix}embeddings as base64`, await late()),
  );
  if (shape.depth !== SHALLOW) return figures;
  const perVector = taken.ms / taken.vectors;
  print('embeddings as numbers');
  for (let run = 0; run < NUMBER_ANSWERS; run++) await embed(textsOf(100, 4), 'float');
  return [
    ...figures,
    { label: 'processor time of the daemon for one vector', unit: 'ms', value: perVector },
    ...delayFigures('a hundred short texts as numbers', await late()),
  ];
}

async function measureRanker(askd: Askd, { model, file, shape, late }: Part): Promise<Figure[]> {
  using poster = createPoster(askd.baseUrl, askd.key);
  const { key } = (await askd.run('keys', 'create', '--name', 'watch', '--scopes', 'admin')) as {
    key: string;
  };
  using control = createPoster(askd.baseUrl.replace(/\/v1$/, ''), key);
  await poster.ask('/rerank', { model, query: 'w1', documents: ['w2'] });
  const threads = await threadsOf(askd, model);
  await using engine = await startEngine({ file, task: 'rerank', threads, build });
  type Loaded = { models: { artifact: string; busy: number }[] };
  type Transactions = { transactions: { description: string }[] };
  const sides = {
    model,
    poster,
    engine,
    busy: async () => {
      const { models } = await control.ask<Loaded>(listLoaded.path);
      return models.find(({ artifact }) => artifact === model)?.busy ?? 0;
    },
    lastPromptTokens: async () => {
      const { transactions } = await poster.ask<Transactions>('/wallet/transactions?limit=1&type=usage');
      return Number(/(\d+) tokens in/.exec(transactions[0]?.description ?? '')?.[1] ?? Number.NaN);
    },
  };
  await late();
  const figures = await measureRerank(sides, { shape, print });
  return [...figures, ...delayFigures(`${prefixOf(shape)}rerank`, await late())];
}

function delayFigures(what: string, { p50Ms, p99Ms, maxMs }: Delays): Figure[] {
  const label = `event loop of the daemon, ${what}`;
  return [
    { label: `${label}: p50`, unit: 'ms', value: p50Ms },
    { label: `${label}: p99`, unit: 'ms', value: p99Ms, goal: { atMost: DELAY_MS_MAX } },
    { label: `${label}: longest`, unit: 'ms', value: maxMs },
  ];
}

function print(text: string): void {
  process.stderr.write(`${text}\n`);
}
