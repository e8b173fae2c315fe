import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { reportLines, type Figure } from './accounts/report.ts';
import { measureDecoding, measureEncoding, type Speed } from './media/codecs.ts';
import { findFfmpeg } from './media/ffmpeg.ts';
import { measureImages } from './media/images.ts';
import { measureLatency } from './media/latency.ts';
import { measureSpeech } from './media/speech.ts';

const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, only: { type: 'string' } },
});
const plan = values.quick
  ? { latency: { starts: 8, turns: 2, secondsMax: 80 }, clip: { seconds: 20, rounds: 1 }, images: 3 }
  : { latency: { starts: 16, turns: 4, secondsMax: 400 }, clip: { seconds: 60, rounds: 3 }, images: 9 };

const PARTS: Readonly<Record<string, (folder: string) => Promise<void>>> = {
  async latency(folder) {
    console.log('\nA clip of 30 s written down by a tiny model: what the daemon adds to its runner');
    for await (const line of measureLatency(folder, plan.latency)) console.log(line);
  },
  async speech(folder) {
    console.log('\nA text said through the API, by a tiny model');
    await printFigures(measureSpeech(folder));
  },
  async codecs(folder) {
    const codecs = { folder, ...plan.clip, ffmpeg: await findFfmpeg() };
    console.log(`\n${codecs.seconds} s of sound, × real time`.padEnd(43) + 'askd    ffmpeg   askd / ffmpeg');
    for await (const speed of measureEncoding(codecs)) console.log(speedLine(speed));
    for await (const speed of measureDecoding(codecs)) console.log(speedLine(speed));
  },
  async images() {
    console.log('\nA picture of 1024x1024 by a tiny model, 20 steps on one thread');
    await printFigures(measureImages(plan.images));
  },
};

const parts = values.only?.split(',') ?? Object.keys(PARTS);
const unknown = parts.find((name) => PARTS[name] === undefined);
if (unknown !== undefined) {
  throw new Error(`There is no part "${unknown}". The parts are ${Object.keys(PARTS).join(', ')}.`);
}
const folder = await mkdtemp(join(tmpdir(), 'askd-bench-media-'));
try {
  printLoad();
  for (const name of parts) await PARTS[name]?.(folder);
  printLoad();
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function printFigures(figures: AsyncIterable<Figure>): Promise<void> {
  for await (const figure of figures) console.log(reportLines([figure])[0]);
}

function speedLine({ what, askd, ffmpeg }: Speed): string {
  const peer =
    ffmpeg === undefined
      ? 'not present'
      : `${ffmpeg.toFixed(0).padStart(8)}${(askd / ffmpeg).toFixed(2).padStart(16)}`;
  return `  ${what.padEnd(36)}${askd.toFixed(0).padStart(8)}  ${peer}`;
}

function printLoad(): void {
  console.log(`${availableParallelism()} cores, load ${(loadavg()[0] ?? 0).toFixed(1)}`);
}
