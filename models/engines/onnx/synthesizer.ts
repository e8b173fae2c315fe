import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { polish } from '../../../src/audio/polish.ts';
import { changeTempo } from '../../../src/audio/stretch.ts';
import { Failure } from '../../../src/base/errors.ts';
import type { Session, SpeakRequest } from '../../../src/runtime/engine.ts';
import { normalise } from '../speech/normalise.ts';
import type { Piece } from '../speech/sentences.ts';
import { endsOnAbort, speakPieces } from '../speech/speak-pieces.ts';
import type { OnnxParts } from './embedder.ts';
import { loadOptions } from './folder.ts';
import { openPhonemizer, type Accent } from './kokoro/phonemes.ts';
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
  // Sentences differ in length, and ONNX Runtime never frees the memory that it keeps for each length.
  const options = { ...base, session_options: { ...base.session_options, enableMemPattern: false } };
  const model = await library.StyleTextToSpeech2Model.from_pretrained(folder.path, options);
  const phonemize = await openPhonemizer();
  const lock = createLock();
  const voices = new Map<string, Float32Array>();
  const tokensMax = 510;

  async function* speakAll(request: SpeakRequest, signal: AbortSignal) {
    const accent = accentOf(request.voice);
    const styles = await stylesOf(request.voice);
    const say = (piece: Piece) =>
      lock.run(() => sayPiece(piece, { accent, styles, speed: request.speed, signal }));
    yield* speakPieces(normalise(request.text), { request, voice: { rate: RATE, say }, signal });
  }

  type Manner = { accent: Accent; styles: Float32Array; speed: number; signal: AbortSignal };

  async function sayPiece(piece: Piece, { accent, styles, speed, signal }: Manner): Promise<Float32Array> {
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

  /** A text beyond the model's limit is split between words. */
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

  return { speak: (request, signal) => endsOnAbort(speakAll(request, signal), signal) };
}

function accentOf(voice: string): Accent {
  const accent = /^[a-z][fm]_\w+$/.test(voice) ? ACCENTS[voice.charAt(0)] : undefined;
  if (accent) return accent;
  const message = `The voice "${voice}" is for a language that is not supported: only English is.`;
  throw new Failure('invalid_value', message, { param: 'voice' });
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
