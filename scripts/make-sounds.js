import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Writes the sounds in test/fixtures/sounds: a second and a half of a tone in every container that askd takes. They are
 * committed, so this is needed only to change them. Needs ffmpeg (Debian: apt-get install ffmpeg).
 */
const FOLDER = join(import.meta.dirname, '..', 'test', 'fixtures', 'sounds');
const TONE = 'aevalsrc=0.4*sin(2*PI*440*t)|0.4*sin(2*PI*440*t):s=44100:d=1.5';
const PICTURE = ['-f', 'lavfi', '-i', 'color=c=black:s=16x16:r=5:d=1.5'];

/** The end of each command line, by the file that it writes. */
const FILES = {
  'tone.wav': ['-ac', '1', '-ar', '16000'],
  'float.wav': ['-ac', '1', '-ar', '8000', '-c:a', 'pcm_f32le'],
  'wide.wav': ['-ac', '2', '-ar', '11025', '-c:a', 'pcm_s24le'],
  'telephone.wav': ['-ac', '1', '-ar', '8000', '-c:a', 'pcm_mulaw'],
  'tone.mp3': ['-b:a', '32k', '-ac', '1', '-ar', '24000'],
  'stereo.mp3': ['-b:a', '64k'],
  'tone.mpga': ['-f', 'mp3', '-b:a', '32k', '-ac', '1', '-write_xing', '0', '-id3v2_version', '0'],
  'tone.m4a': ['-c:a', 'aac', '-b:a', '48k'],
  'begins-with-description.m4a': ['-c:a', 'aac', '-b:a', '48k', '-movflags', '+faststart'],
  'fragmented.mp4': ['-c:a', 'aac', '-b:a', '48k', '-movflags', 'frag_keyframe+empty_moov'],
  'lossless.m4a': ['-c:a', 'alac', '-ar', '8000', '-ac', '1'],
  'film.mp4': [...PICTURE, '-c:v', 'mpeg4', '-c:a', 'aac', '-b:a', '48k'],
  'tone.webm': ['-c:a', 'libopus', '-b:a', '32k', '-ac', '1'],
  'vorbis.webm': ['-c:a', 'libvorbis', '-ac', '1'],
  'live.webm': ['-c:a', 'libopus', '-b:a', '32k', '-ac', '1', '-f', 'webm', '-live', '1'],
  'tone.ogg': ['-c:a', 'libvorbis', '-ac', '1'],
  'tone.opus': ['-c:a', 'libopus', '-b:a', '32k', '-ac', '1'],
  'tone.flac': ['-ac', '1', '-ar', '16000'],
  'tone.aac': ['-c:a', 'aac', '-b:a', '32k', '-ac', '1', '-f', 'adts'],
  'tone.mpeg': ['-c:a', 'mp2', '-b:a', '64k', '-ac', '1', '-f', 'mpeg'],
  'film.mpeg': [
    ...PICTURE.slice(0, 2),
    '-i',
    'color=c=black:s=16x16:r=25:d=1.5',
    '-c:v',
    'mpeg1video',
    '-c:a',
    'mp2',
  ],
};

mkdirSync(FOLDER, { recursive: true });
for (const [name, options] of Object.entries(FILES)) {
  const input = ['-y', '-loglevel', 'error', '-bitexact', '-f', 'lavfi', '-i', TONE];
  execFileSync('ffmpeg', [...input, ...options, '-fflags', '+bitexact', join(FOLDER, name)], {
    stdio: 'inherit',
  });
}
