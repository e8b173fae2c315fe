import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { Failure } from '../../src/errors.ts';

/** Programs that play WAV from their stdin. */
const PIPED = [
  ['pw-cat', '--playback', '-'],
  ['paplay'],
  ['aplay', '-q', '-'],
  ['ffplay', '-nodisp', '-autoexit', '-loglevel', 'error', '-'],
  ['play', '-q', '-t', 'wav', '-'],
] as const;

/** Those that come with a system and play a file. */
const OF_FILES: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['afplay'],
  win32: ['powershell', '-NoProfile', '-Command', '(New-Object Media.SoundPlayer $args[0]).PlaySync()'],
};

export type Player = (sound: AsyncIterable<Buffer>) => Promise<void>;

/** Finds out how sound is played here, before any is made. */
export async function startPlayer(): Promise<Player> {
  const ofFiles = OF_FILES[process.platform];
  if (ofFiles) return (sound) => playFile(ofFiles, sound);
  for (const [program, ...words] of PIPED) {
    if (await isThere(program)) return (sound) => playPiped([program, ...words], sound);
  }
  throw new Failure('not_found', 'There is no program here that plays sound.', {
    details: { fix: 'install alsa-utils, pulseaudio-utils or ffmpeg; or write a file: --out speech.mp3' },
  });
}

async function isThere(program: string): Promise<boolean> {
  const { exitCode } = await execa('which', [program], { reject: false });
  return exitCode === 0;
}

async function playPiped(
  [program = '', ...words]: readonly string[],
  sound: AsyncIterable<Buffer>,
): Promise<void> {
  await execa(program, words, { input: sound as never, stdout: 'ignore', stderr: 'ignore' }).catch(
    failed(program),
  );
}

async function playFile(
  [program = '', ...words]: readonly string[],
  sound: AsyncIterable<Buffer>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'askd-'));
  try {
    const file = join(folder, 'speech.wav');
    await writeFile(file, sound);
    await execa(program, [...words, file], { stdout: 'ignore', stderr: 'ignore' }).catch(failed(program));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function failed(program: string) {
  return (cause: unknown): never => {
    throw new Failure('internal_error', `${program} did not play the sound.`, { cause });
  };
}
