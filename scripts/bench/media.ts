import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { reportLines } from './accounts/report.ts';
import { measureDecoding, measureEncoding, type Speed } from './media/codecs.ts';
import { findFfmpeg } from './media/ffmpeg.ts';
import { measureImages } from './media/images.ts';
import { measureSound } from './media/sound.ts';

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const plan = values.quick
  ? { clip: { seconds: 20, rounds: 1 }, sound: 3, images: 3 }
  : { clip: { seconds: 60, rounds: 3 }, sound: 15, images: 9 };
const folder = await mkdtemp(join(tmpdir(), 'askd-bench-media-'));
try {
  tellLoad();
  const codecs = { folder, ...plan.clip, ffmpeg: await findFfmpeg() };
  console.log(`\n${codecs.seconds} s of sound, × real time`.padEnd(43) + 'askd    ffmpeg   askd / ffmpeg');
  for await (const speed of measureEncoding(codecs)) console.log(speedLine(speed));
  for await (const speed of measureDecoding(codecs)) console.log(speedLine(speed));
  console.log('\nSound through the API, by tiny models');
  for await (const figure of measureSound({ folder, rounds: plan.sound }))
    console.log(reportLines([figure])[0]);
  console.log('\nA picture of 1024x1024 by a tiny model, 20 steps on one thread');
  for await (const figure of measureImages(plan.images)) console.log(reportLines([figure])[0]);
  tellLoad();
} finally {
  await rm(folder, { recursive: true, force: true });
}

function speedLine({ what, askd, ffmpeg }: Speed): string {
  const peer =
    ffmpeg === undefined
      ? 'not present'
      : `${ffmpeg.toFixed(0).padStart(8)}${(askd / ffmpeg).toFixed(2).padStart(16)}`;
  return `  ${what.padEnd(36)}${askd.toFixed(0).padStart(8)}  ${peer}`;
}

function tellLoad(): void {
  console.log(`${availableParallelism()} cores, load ${(loadavg()[0] ?? 0).toFixed(1)}`);
}
