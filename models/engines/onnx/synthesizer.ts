import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { polish } from '../../../src/audio/polish.ts';
import { changeTempo } from '../../../src/audio/stretch.ts';
import { Failure } from '../../../src/base/errors.ts';
import type { Session, SpeakEvent, SpeakRequest } from '../../../src/runtime/engine.ts';
import { openEncoder } from '../../audio/encode.ts';
import type { OnnxParts } from './embedder.ts';
import { loadOptions } from './folder.ts';
import { normalise } from './kokoro/normalise.ts';
import { openPhonemizer, type Accent } from './kokoro/phonemes.ts';
import { toPieces, type Piece } from './kokoro/sentences.ts';
import { createLock } from './lock.ts';
import { requireOutput, toFloats } from './run.ts';

const RATE = 24_000;
const STYLE_WIDTH = 256;
/** The range in which the model itself sounds good; beyond it the audio is stretched. */
const SPEED_MIN = 0.5;
const SPEED_MAX = 2;
/** The first letter of a voice is its accent. */
const ACCENTS: Readonly<Record<string, Accent>> = { a: 'en-us', b: 'en' };

type Outputs = Record<string, never>;
type Call = (inputs: object) => Promise<Outputs>;

/** Opens a Kokoro model. Requests take turns, sentence by sentence. */
export async function openSynthesizer({
  library,
  folder,
  threads,
}: OnnxParts): Promise<Required<Pick<Session, 'speak'>>> {
  const tokenizer = await library.AutoTokenizer.from_pretrained(folder.path, { local_files_only: true });
  const base = loadOptions(folder.precisionOf('model'), threads);
  // Sentences differ in length, and ONNX Runtime never frees memory kept for each length.
  const options = { ...base, session_options: { ...base.session_options, enableMemPattern: false } };
  const model = await library.StyleTextToSpeech2Model.from_pretrained(folder.path, options);
  const phonemize = await openPhonemizer();
  const lock = createLock();
  const voices = new Map<string, Float32Array>();
  const tokensMax = 510;

  async function* speak(request: SpeakRequest, signal: AbortSignal): AsyncGenerator<SpeakEvent> {
    try {
      yield* speakAll(request, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  async function* speakAll({ text, voice, speed, format }: SpeakRequest, signal: AbortSignal) {
    const accent = accentOf(voice);
    const styles = await stylesOf(voice);
    const pieces = toPieces(normalise(text));
    const encoder = await openEncoder(format, RATE);
    const length = pieces.reduce((sum, piece) => sum + piece.text.length, 0);
    let [done, isFirst] = [0, true];
    for (const piece of pieces) {
      signal.throwIfAborted();
      const sound = await lock.run(() => say(piece, { accent, styles, speed, signal }));
      const joined = isFirst ? sound : withPause(sound, pauseBefore(pieces, piece, speed));
      if (sound.length > 0) isFirst = false;
      done += piece.text.length;
      const bytes = await encoder.push(joined);
      yield { type: 'sound' as const, bytes, characters: Math.round((text.length * done) / length) };
    }
    const rest = await encoder.end();
    yield { type: 'sound' as const, bytes: rest, characters: text.length };
    yield { type: 'end' as const };
  }

  type Manner = { accent: Accent; styles: Float32Array; speed: number; signal: AbortSignal };

  async function say(piece: Piece, { accent, styles, speed, signal }: Manner): Promise<Float32Array> {
    signal.throwIfAborted();
    const phonemes = await phonemize(piece.text, accent);
    const own = Math.min(SPEED_MAX, Math.max(SPEED_MIN, speed));
    const parts: Float32Array[] = [];
    for (const tokens of tokensOf(phonemes)) {
      signal.throwIfAborted();
      parts.push(polish(changeTempo(await run(tokens, styles, own), RATE, speed / own), RATE));
    }
    return concat(parts);
  }

  /** What exceeds the model's limit is split between words. */
  function tokensOf(phonemes: string): number[][] {
    const chunks: number[][] = [];
    let chunk = '';
    for (const word of phonemes.split(/(?<= )/)) {
      if (chunk !== '' && chunk.length + word.length > tokensMax) {
        chunks.push(tokenizer.encode(chunk));
        chunk = '';
      }
      chunk += word;
    }
    return [...chunks, tokenizer.encode(chunk)].filter((tokens) => tokens.length > 2);
  }

  async function run(tokens: readonly number[], styles: Float32Array, speed: number): Promise<Float32Array> {
    const { Tensor } = library;
    const style = Math.min(Math.max(tokens.length - 2, 0), styles.length / STYLE_WIDTH - 1);
    const outputs = await (model as unknown as Call)({
      input_ids: new Tensor('int64', BigInt64Array.from(tokens, BigInt), [1, tokens.length]),
      style: new Tensor('float32', styles.slice(style * STYLE_WIDTH, (style + 1) * STYLE_WIDTH), [
        1,
        STYLE_WIDTH,
      ]),
      speed: new Tensor('float32', [speed], [1]),
    });
    return toFloats(requireOutput(outputs, ['waveform']));
  }

  async function stylesOf(voice: string): Promise<Float32Array> {
    const known = voices.get(voice);
    if (known) return known;
    const bytes = await readFile(join(folder.path, 'voices', `${voice}.bin`)).catch((cause: unknown) => {
      throw new Failure('invalid_value', `This model has no voice "${voice}".`, { param: 'voice', cause });
    });
    const styles = new Float32Array(new Uint8Array(bytes).buffer);
    voices.set(voice, styles);
    return styles;
  }

  return { speak };
}

function accentOf(voice: string): Accent {
  const accent = /^[a-z][fm]_\w+$/.test(voice) ? ACCENTS[voice.charAt(0)] : undefined;
  if (accent) return accent;
  const message = `The voice "${voice}" is for a language that is not supported: only English is.`;
  throw new Failure('invalid_value', message, { param: 'voice' });
}

function pauseBefore(pieces: readonly Piece[], piece: Piece, speed: number): number {
  return (pieces[pieces.indexOf(piece) - 1]?.pause ?? 0) / speed;
}

function withPause(sound: Float32Array, seconds: number): Float32Array {
  return concat([new Float32Array(Math.round(seconds * RATE)), sound]);
}

function concat(parts: readonly Float32Array[]): Float32Array {
  const all = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
