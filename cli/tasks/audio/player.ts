import { accessSync, constants } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { execa } from 'execa';
import type { SpeechFormat } from '../../../src/api/tasks/audio-formats.ts';
import { Failure } from '../../../src/base/errors.ts';
import { writeSound, type Sound } from './sound-file.ts';

type Environment = Readonly<Record<string, string | undefined>>;
type Program = {
  command: readonly [program: string, ...words: string[]];
  /** Its input format: raw samples if it does not read a header. */
  format: Extract<SpeechFormat, 'wav' | 'pcm'>;
  /** Other formats that it plays. */
  reads?: readonly SpeechFormat[];
  /** Its message if nothing was played, in case it exits with 0 anyway. */
  silentWhen?: RegExp;
  /** Whether it needs a file, and so has to wait for the end. */
  takesFile?: true;
};

const ENCODED: readonly SpeechFormat[] = ['mp3', 'opus', 'aac', 'flac'];

/** In order of preference; players that read stdin start with the first sentence. */
const PROGRAMS: readonly Program[] = [
  { command: ['paplay', '--raw', '--format=s16le', '--rate=24000', '--channels=1'], format: 'pcm' },
  { command: ['aplay', '-q', '-'], format: 'wav' },
  {
    command: ['ffplay', '-nodisp', '-autoexit', '-loglevel', 'error', '-'],
    format: 'wav',
    reads: ENCODED,
    silentWhen: /audio open failed|Failed to open/,
  },
  { command: ['mpv', '--no-video', '--really-quiet', '-'], format: 'wav', reads: ENCODED },
  { command: ['play', '-q', '-t', 'wav', '-'], format: 'wav' },
  { command: ['pw-play'], format: 'wav', reads: ['flac'], takesFile: true },
];

/** Players that come with an operating system. */
const OF_SYSTEM: Readonly<Partial<Record<NodeJS.Platform, Program>>> = {
  darwin: { command: ['afplay'], format: 'wav', reads: ['mp3', 'aac', 'flac'], takesFile: true },
  win32: {
    command: ['powershell', '-NoProfile', '-Command', '(New-Object Media.SoundPlayer $args[0]).PlaySync()'],
    format: 'wav',
    takesFile: true,
  },
};

export type Player = { format: SpeechFormat; play: (sound: Sound) => Promise<void> };
type PlayerEnvironment = { env: Environment; signal: AbortSignal };

/** Finds a player before any audio is synthesized; `made` is the format, if that is fixed. */
export function findPlayer(environment: PlayerEnvironment, made?: SpeechFormat): Player {
  const system = OF_SYSTEM[process.platform];
  const here = system ? [system] : PROGRAMS.filter(({ command }) => isOnPath(command[0], environment.env));
  if (here.length === 0) {
    const names = PROGRAMS.map(({ command: [name] }) => name).join(', ');
    throw new Failure('not_found', `No audio player is installed: none of ${names}.`, {
      details: { fix: 'sudo apt install alsa-utils (it has aplay), or write a file: --out speech.mp3' },
    });
  }
  const program = made === undefined ? here[0] : here.find((each) => plays(each, made));
  if (!program) throw unplayable(here, made);
  const play = program.takesFile ? playFile : playPiped;
  const format = made !== undefined && program.reads?.includes(made) ? made : program.format;
  return { format, play: (sound) => play({ ...program, format }, sound, environment) };
}

/** WAV and raw samples differ only in the header. */
function plays({ reads = [] }: Program, format: SpeechFormat): boolean {
  return format === 'wav' || format === 'pcm' || reads.includes(format);
}

function unplayable(here: readonly Program[], format = 'mp3'): Failure {
  const names = here.map(({ command: [name] }) => name).join(', ');
  const message = `The audio is ${format}, which no player on this machine supports: ${names}.`;
  return new Failure('not_found', message, {
    details: { fix: 'write a WAV: --out speech.wav --play; or install mpv, which plays every format' },
  });
}

function isOnPath(program: string, env: Environment): boolean {
  return (env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return folder !== '';
    } catch {
      return false;
    }
  });
}

type Chosen = Omit<Program, 'format'> & { format: SpeechFormat };
type Play = (program: Chosen, sound: Sound, environment: PlayerEnvironment) => Promise<void>;

const playPiped: Play = ({ command, silentWhen }, sound, environment) =>
  run({ command, silentWhen, stdin: sound }, environment);

const playFile: Play = async ({ command: [name, ...words], format }, sound, environment) => {
  const folder = await mkdtemp(join(tmpdir(), 'askd-'));
  try {
    const file = join(folder, `speech.${format}`);
    await writeSound(file, sound, format);
    await run({ command: [name, ...words, file], stdin: 'ignore' }, environment);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

type Running = Pick<Program, 'command'> & { silentWhen?: RegExp | undefined; stdin: Sound | 'ignore' };

/** Incomplete audio is reported as such; other errors are the player's. */
async function run(
  { command: [name, ...words], silentWhen, stdin }: Running,
  { env, signal }: PlayerEnvironment,
): Promise<void> {
  const settings = { env: { ...env }, extendEnv: false, stdout: 'ignore', cancelSignal: signal } as const;
  const ended = await execa(name, words, { ...settings, stdin, reject: false });
  if (ended.cause instanceof Failure) throw ended.cause;
  const lines = ended.stderr.trim().split('\n');
  const refusal = silentWhen && lines.find((line) => silentWhen.test(line));
  if (!ended.failed && refusal === undefined) return;
  const why = (refusal ?? lines.at(-1)) || `it ended with ${ended.signal ?? `code ${ended.exitCode}`}`;
  throw new Failure('player_failed', `${name} did not play the audio: ${why.trim()}`, {
    details: { fix: 'write a file instead: --out speech.mp3' },
    cause: ended.cause,
  });
}
