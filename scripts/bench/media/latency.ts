import { readFile, writeFile } from 'node:fs/promises';
import { Agent, request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { spoken, wavOf } from '../../fixtures/audio/tone-sound.ts';
import { writeToneTranscriber } from '../../fixtures/audio/tone-transcriber.ts';
import { addedLatency, type Added, type Pair } from './added.ts';
import { startDaemonSide } from './daemon-side.ts';

export type LatencyPlan = {
  starts: number;
  /** How often, in each start, both sides take two turns: A B B A, then B A A B. */
  turns: number;
  /** No start begins after this time, however slow the machine is. */
  secondsMax: number;
};

const RATE = 16_000;
const CLIP_SECONDS = 30;
const ADDED_SHARE_MAX = 0.03;
/** Transcriptions on both sides in each start before any counts, since code that is new to V8 is slower. */
const WARM_UPS = 3;
const MODEL = 'listener';

type Side = () => Promise<{ ms: number; text: string }>;
type Sides = { engine: Side; daemon: Side };

/**
 * The daemon's overhead for half a minute of speech: the same runner does the work, called directly and through the
 * API.
 */
export async function* measureLatency(folder: string, plan: LatencyPlan): AsyncGenerator<string> {
  const model = join(folder, 'listener');
  const clip = join(folder, 'clip.wav');
  await writeToneTranscriber(model);
  await writeFile(clip, wavOf(clipSound()));
  const beganAt = performance.now();
  const starts: Pair[][] = [];
  while (starts.length < plan.starts && performance.now() - beganAt < plan.secondsMax * 1000) {
    starts.push(await measureStart({ model, clip }, starts.length, plan.turns));
    yield startLine(starts);
  }
  yield* resultLines(addedLatency(starts, ADDED_SHARE_MAX));
}

/**
 * Two runners of the same program differ by more than what is to be measured, so there is only one; each start has a
 * new one.
 */
async function measureStart(
  { model, clip }: { model: string; clip: string },
  start: number,
  turns: number,
): Promise<Pair[]> {
  await using daemon = await startDaemonSide({ model, id: MODEL, clip });
  using client = await openClient(daemon, clip);
  const sides: Sides = { engine: daemon.hear, daemon: client.send };
  await warmUp(sides);
  const pairs: Pair[] = [];
  for (let turn = 0; turn < turns; turn++) {
    const isEngineFirst = (turn + start) % 2 === 0;
    pairs.push(await timePair(sides, isEngineFirst), await timePair(sides, !isEngineFirst));
  }
  return pairs;
}

async function warmUp({ engine, daemon }: Sides): Promise<void> {
  for (let run = 0; run < WARM_UPS; run++) {
    const [direct, answered] = [await engine(), await daemon()];
    if (direct.text === '' || direct.text !== answered.text) {
      throw new Error(`The two sides heard different words: "${direct.text}" and "${answered.text}"`);
    }
  }
}

async function timePair({ engine, daemon }: Sides, isEngineFirst: boolean): Promise<Pair> {
  if (isEngineFirst) return { engineMs: (await engine()).ms, daemonMs: (await daemon()).ms };
  const { ms: daemonMs } = await daemon();
  return { daemonMs, engineMs: (await engine()).ms };
}

/** Sends the clip as a prepared upload, on a kept-alive connection: an SDK's work is not ours. */
async function openClient({ baseUrl, key }: { baseUrl: string; key: string }, clip: string) {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(await readFile(clip))]), 'clip.wav');
  form.set('model', MODEL);
  const upload = new Response(form);
  const body = Buffer.from(await upload.arrayBuffer());
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': upload.headers.get('content-type') ?? '',
    'content-length': body.length,
  };
  const agent = new Agent({ keepAlive: true });
  const post = () =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const url = `${baseUrl}/audio/transcriptions`;
      request(url, { method: 'POST', headers, agent }, resolve).on('error', reject).end(body);
    });
  return {
    send: async () => {
      const startedAt = performance.now();
      const reply = await post();
      const text = Buffer.concat((await reply.toArray()) as Buffer[]).toString('utf8');
      const ms = performance.now() - startedAt;
      if (reply.statusCode !== 200) throw new Error(`The daemon answered ${reply.statusCode}: ${text}`);
      return { ms, text: (JSON.parse(text) as { text: string }).text };
    },
    [Symbol.dispose]: () => agent.destroy(),
  };
}

/** Words without a pause between them: half a minute that is one window of the model. */
function clipSound(): Float32Array {
  const samples = spoken('the quick brown fox jumps over the lazy dog and runs '.repeat(5));
  return samples.subarray(0, CLIP_SECONDS * RATE);
}

function startLine(starts: readonly Pair[][]): string {
  const { engineMs, addedMs } = addedLatency(starts.slice(-1), ADDED_SHARE_MAX);
  const added = `${addedMs.median.toFixed(1)} ms added (half of the pairs: ${rangeOf(addedMs.lower, addedMs.upper)})`;
  return `      start ${starts.length}: engine ${engineMs.toFixed(1)} ms, ${added}`;
}

function resultLines({ verdict, starts, pairs, engineMs, daemonMs, addedMs, share }: Added): string[] {
  const percent = (value: number) => (100 * value).toFixed(2);
  const goal = `at most ${percent(ADDED_SHARE_MAX)} %`;
  const interval = `${percent(share.low)} to ${percent(share.high)} %`;
  return [
    `      the same runner, asked directly: ${engineMs.toFixed(1)} ms; through the API: ${daemonMs.toFixed(1)} ms`,
    `      added, median of ${pairs} pairs in ${starts} starts: ${addedMs.median.toFixed(1)} ms ` +
      `(half of the pairs: ${rangeOf(addedMs.lower, addedMs.upper)} ms)`,
    `${verdict}  added / engine: ${percent(share.median)} % (99 % interval ${interval}), ${goal}. ${MEANINGS[verdict]}`,
  ];
}

const MEANINGS: Readonly<Record<Added['verdict'], string>> = {
  PASS: 'All of the interval is within the goal.',
  short: 'All of the interval is above the goal.',
  'not sound': 'Less than nothing can not be: the two sides were not alike, and this says nothing.',
  undecided: 'The pairs scatter too much, or are too few, to tell: measure on a quieter machine.',
};

function rangeOf(from: number, to: number): string {
  return `${from.toFixed(1)} to ${to.toFixed(1)}`;
}
