import { readFile } from 'node:fs/promises';
import { ConsoleStdout, File, OpenFile, PreopenDirectory, WASI } from '@bjorn3/browser_wasi_shim';
import { WAV_HEADER_BYTES } from '../../../src/base/wav-header.ts';
import { toEnglishLetters } from './letters.ts';
import type { FliteVoice } from './voices.ts';

export type FliteOrder = { text: string; voice: FliteVoice; speed: number };

export type FliteProgram = (order: FliteOrder) => Float32Array;

/** Where a WAV header states the sample rate. */
const RATE_OFFSET = 24;
export const FLITE_RATE = 16_000;

type Instance = Parameters<WASI['start']>[0];

/** Node provides it, but the types for Node 20 do not. */
declare const WebAssembly: {
  compile(bytes: Uint8Array): Promise<object>;
  Instance: new (compiled: object, imports: object) => Instance;
};

/**
 * The Flite command, compiled to WebAssembly. Each call runs in a new WASI process with an in-memory file system that
 * holds one text and one WAV file, so it sees nothing of this machine. It blocks for about a fiftieth of the duration
 * of the speech.
 */
export async function openFlite(path: string): Promise<FliteProgram> {
  const compiled = await WebAssembly.compile(await readFile(path));

  return ({ text, voice, speed }) => {
    const folder = new PreopenDirectory('/', new Map([['text', new File(bytesOf(toEnglishLetters(text)))]]));
    const said: string[] = [];
    const console = ConsoleStdout.lineBuffered((line) => said.push(line));
    const flags = ['-voice', voice.name, '--setf', `duration_stretch=${1 / speed}`];
    const pitch = voice.pitch === 1 ? [] : ['--setf', `f0_shift=${voice.pitch}`];
    const command = ['flite', ...flags, ...pitch, '-f', '/text', '-o', '/speech.wav'];
    const wasi = new WASI(command, [], [new OpenFile(new File([])), console, console, folder], {
      debug: false,
    });
    const instance = new WebAssembly.Instance(compiled, { wasi_snapshot_preview1: wasi.wasiImport });
    const status = wasi.start(instance);
    const file = folder.dir.contents.get('speech.wav');
    if (status !== 0 || !(file instanceof File)) {
      throw new Error(`Flite ended with status ${status}: ${said.join(' ')}`);
    }
    return samplesOf(Buffer.from(file.data));
  };
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function samplesOf(wav: Buffer): Float32Array {
  const rate = wav.readUInt32LE(RATE_OFFSET);
  if (rate !== FLITE_RATE) throw new Error(`Flite answered with ${rate} Hz`);
  const count = Math.floor((wav.length - WAV_HEADER_BYTES) / 2);
  return Float32Array.from(
    { length: count },
    (_, index) => wav.readInt16LE(WAV_HEADER_BYTES + 2 * index) / 32_768,
  );
}
