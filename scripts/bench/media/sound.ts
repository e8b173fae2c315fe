import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onnx } from '../../../models/engines/onnx.ts';
import { readOnnxFolder } from '../../../src/library/onnx-folder.ts';
import type { Session, SpeechFormat } from '../../../src/runtime/engine.ts';
import { spoken, wavOf } from '../../fixtures/tone-sound.ts';
import { writeToneListener } from '../../fixtures/tone-listener.ts';
import { writeToneSpeaker } from '../../fixtures/tone-speaker.ts';
import type { Figure } from '../accounts/report.ts';
import { startAskd, threadsOf, type Askd } from '../overhead/askd.ts';
import { median } from '../overhead/timing.ts';

const RATE = 16_000;
const CLIP_SECONDS = 30;
const ADDED_SHARE_MAX = 0.03;
const FIRST_SHARE_MAX = 0.2;
const FORMATS: readonly SpeechFormat[] = ['mp3', 'opus', 'wav'];
const LONG_TEXT = Array.from(
  { length: 12 },
  (_, index) =>
    `In year ${index + 1} of the long count the river rose, as it had risen before, and the people of the lower ` +
    'town carried what they had to the hill.',
).join(' ');

type Rounds = { folder: string; rounds: number };

/** A clip of half a minute by the engine alone and by the daemon as it is installed, and how soon a long text is heard. */
export async function* measureSound({ folder, rounds }: Rounds): AsyncGenerator<Figure> {
  const listener = join(folder, 'listener');
  const speaker = join(folder, 'speaker');
  await writeToneListener(listener);
  await writeToneSpeaker(speaker);
  await using askd = await startAskd({});
  await askd.run('import', listener, '--id', 'listener');
  await askd.run('import', speaker, '--id', 'speaker');
  yield* measureListening(askd, { folder, listener, rounds });
  for (const format of FORMATS) yield* measureSpeaking(askd, format);
}

async function* measureListening(
  askd: Askd,
  { folder, listener, rounds }: Rounds & { listener: string },
): AsyncGenerator<Figure> {
  const clip = join(folder, 'clip.wav');
  await writeFile(clip, wavOf(clipSound()));
  const over = () => transcribeOverHttp(askd, clip);
  await over();
  await using engine = await openEngine(listener, await threadsOf(askd, 'listener'));
  const alone = () => transcribeAlone(engine, clip);
  await alone();
  const times = { alone: [] as number[], over: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    // In turn, each time the other one first, so that what else the machine does falls on both.
    if (round % 2 === 0) times.alone.push(await timeOf(alone));
    times.over.push(await timeOf(over));
    if (round % 2 === 1) times.alone.push(await timeOf(alone));
  }
  const what = `${CLIP_SECONDS} s of speech written down`;
  const added = median(times.over.map((ms, round) => ms - (times.alone[round] ?? Number.NaN)));
  yield { label: `${what}, the engine alone`, unit: 'ms', value: median(times.alone) };
  yield { label: `${what}, through the API`, unit: 'ms', value: median(times.over) };
  yield { label: `${what}, added (median of the pairs)`, unit: 'ms', value: added };
  yield {
    label: `${what}, added / engine`,
    unit: 'x',
    value: added / median(times.alone),
    goal: { atMost: ADDED_SHARE_MAX },
  };
  const least = Math.min(...times.over) - Math.min(...times.alone);
  yield { label: `${what}, added, the best of each`, unit: 'ms', value: least };
}

async function* measureSpeaking(askd: Askd, format: SpeechFormat): AsyncGenerator<Figure> {
  await say(askd, 'Good morning.', format);
  const runs = [];
  for (let run = 0; run < 3; run++) runs.push(await say(askd, LONG_TEXT, format));
  const what = `${LONG_TEXT.length} characters as ${format}`;
  yield { label: `${what}, first sound`, unit: 'ms', value: median(runs.map(({ firstMs }) => firstMs)) };
  yield { label: `${what}, the whole`, unit: 'ms', value: median(runs.map(({ wholeMs }) => wholeMs)) };
  yield {
    label: `${what}, first sound / whole`,
    unit: 'x',
    value: median(runs.map(({ firstMs, wholeMs }) => firstMs / wholeMs)),
    goal: { atMost: FIRST_SHARE_MAX },
  };
}

/** Words without a pause between them: half a minute that is one window of the model. */
function clipSound(): Float32Array {
  const samples = spoken('the quick brown fox jumps over the lazy dog and runs '.repeat(5));
  return samples.subarray(0, CLIP_SECONDS * RATE);
}

async function openEngine(path: string, threads: number): Promise<Session> {
  const facts = { id: 'listener', path, services: [], tier: 'imported', ...readOnnxFolder(path) } as const;
  return onnx.load(facts, { slots: 1, contextTokens: 512, threads }, new AbortController().signal);
}

async function transcribeAlone(engine: Session, path: string): Promise<void> {
  const request = { path, task: 'transcribe', temperature: 0, words: false, secondsMax: 7200 } as const;
  let text = '';
  for await (const event of engine.transcribe?.(request, new AbortController().signal) ?? []) {
    if (event.type === 'segment') text += event.segment.text;
  }
  if (text === '') throw new Error('The engine heard nothing');
}

async function transcribeOverHttp({ baseUrl, key }: Askd, path: string): Promise<void> {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(await readFile(path))]), 'clip.wav');
  form.set('model', 'listener');
  const headers = { authorization: `Bearer ${key}` };
  const reply = await fetch(`${baseUrl}/audio/transcriptions`, { method: 'POST', headers, body: form });
  if (!reply.ok) throw new Error(await reply.text());
  const { text } = (await reply.json()) as { text: string };
  if (text === '') throw new Error('The daemon heard nothing');
}

async function say({ baseUrl, key }: Askd, input: string, format: SpeechFormat) {
  const startedAt = performance.now();
  const reply = await fetch(`${baseUrl}/audio/speech`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'speaker', input, response_format: format }),
  });
  if (!reply.ok || !reply.body) throw new Error(await reply.text());
  let firstMs: number | undefined;
  for await (const chunk of reply.body as unknown as AsyncIterable<Uint8Array>) {
    if (chunk.length > 0) firstMs ??= performance.now() - startedAt;
  }
  if (firstMs === undefined) throw new Error('Nothing was said');
  return { firstMs, wholeMs: performance.now() - startedAt };
}

async function timeOf(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
