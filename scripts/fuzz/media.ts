import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { packageRoot } from '../../src/base/paths.ts';
import { writeToneTranscriber } from '../fixtures/audio/tone-transcriber.ts';
import { writeProjector } from '../fixtures/images/projector.ts';
import { writePdf } from '../fixtures/pdf.ts';
import { writeRandomModel } from '../fixtures/random-model.ts';
import type { Format, Send, World } from './format.ts';
import { mutate } from './mutate.ts';
import { mutatePng } from './mutate-formats.ts';

const SOUNDS: Record<string, readonly string[]> = {
  wav: ['tone.wav', 'float.wav', 'wide.wav', 'telephone.wav'],
  mp3: ['tone.mp3', 'stereo.mp3'],
  flac: ['tone.flac'],
  ogg: ['tone.ogg', 'tone.opus'],
  mp4: ['tone.m4a', 'begins-with-description.m4a', 'lossless.m4a', 'film.mp4', 'fragmented.mp4'],
  webm: ['tone.webm', 'live.webm', 'vorbis.webm'],
};
const PICTURES = ['png', 'jpeg', 'webp', 'gif'] as const;
const MODEL_WIDTH = 32;
const LANES = 4;

export const MEDIA: readonly Format[] = [
  ...Object.entries(SOUNDS).map(([name, files]) => ({
    name,
    seeds: async () => files.map((file) => readFileSync(join(packageRoot, 'test/fixtures/sounds', file))),
    mutate,
    lanes: LANES,
    open: openTranscriber,
  })),
  ...PICTURES.map((name) => ({
    name,
    seeds: () => pictures(name),
    mutate: name === 'png' ? mutatePng : mutate,
    lanes: LANES,
    open: openEyes(name),
  })),
  { name: 'pdf', seeds: async () => PDFS, mutate, lanes: LANES, open: openReader },
];

const PDFS = [
  writePdf(['One page of text.']),
  writePdf(['The first of three.', 'The second (with \\ brackets).', 'The third.'], 'A title'),
];

async function openTranscriber({ daemon, folder }: World): Promise<Send> {
  const path = join(folder, 'listener');
  await writeToneTranscriber(path);
  await daemon.install({ id: 'listener', path });
  return (file) => {
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(file)]), 'sound');
    form.set('model', 'listener');
    return daemon.call('/v1/audio/transcriptions', form);
  };
}

/** Each kind in the variants for which its decoder has code paths. */
async function pictures(name: (typeof PICTURES)[number]): Promise<Buffer[]> {
  const noise = Buffer.from(Array.from({ length: 24 * 16 * 3 }, (_, at) => (at * 7919) % 251));
  const image = sharp(noise, { raw: { width: 24, height: 16, channels: 3 } });
  const ways = {
    png: [{}, { palette: true }, { progressive: true }],
    jpeg: [{}, { progressive: true }, { chromaSubsampling: '4:4:4', optimizeScans: true }],
    webp: [{}, { lossless: true }, { nearLossless: true }],
    gif: [{}, { colours: 4 }],
  };
  return Promise.all(ways[name].map((options) => image.clone().toFormat(name, options).toBuffer()));
}

function openEyes(name: string) {
  return async ({ daemon, folder }: World): Promise<Send> => {
    const [path, projector] = [join(folder, 'eyes.gguf'), join(folder, 'projector.gguf')];
    await writeRandomModel(path, { architecture: 'qwen2', contextTokens: 2048 });
    await writeProjector(projector, { modelWidth: MODEL_WIDTH });
    await daemon.install({ id: 'eyes', path, projector });
    return (file) =>
      daemon.chat('eyes', { type: 'image_url', image_url: { url: dataUrl(`image/${name}`, file) } });
  };
}

async function openReader({ daemon }: World): Promise<Send> {
  return (file) =>
    daemon.chat('svc-chat-v1', {
      type: 'file',
      file: { filename: 'document.pdf', file_data: dataUrl('application/pdf', file) },
    });
}

export const dataUrl = (type: string, file: Buffer) => `data:${type};base64,${file.toString('base64')}`;
