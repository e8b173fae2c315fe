import { createWindows, type SoundWindow } from '../../../src/audio/windows.ts';
import { Failure } from '../../../src/base/errors.ts';
import type { Segment, Session, TranscribeEvent, TranscribeRequest } from '../../../src/runtime/engine.ts';
import { openSound } from '../../audio/sound-file.ts';
import type { OnnxParts } from './embedder.ts';
import { createLock } from './lock.ts';
import { tokensOf } from './tokens.ts';
import { detectLanguage, decodeWindow, isSilence, type DecodedWindow } from './whisper/decode-window.ts';
import { openNetwork } from './whisper/network.ts';
import { decodedSeconds, toSpokenSpans } from './whisper/segments.ts';
import { readTokens } from './whisper/tokens.ts';
import { timeWords } from './whisper/words.ts';

const RATE = 16_000;
const WINDOW_SECONDS = 30;
/** Limit of the previous text in the decoder's context. */
const EARLIER_TOKENS_MAX = 223;
/** A window decoded at a higher temperature than this is not used as context. */
const TRUSTED_TEMPERATURE = 0.5;

/** A request in progress through its windows. */
type Running = {
  request: TranscribeRequest;
  signal: AbortSignal;
  language: string | undefined;
  /** The text so far, as context for the decoder. */
  earlier: number[];
};

/** Opens a Whisper model. Requests take turns, window by window, so that a long file does not block a short one. */
export async function openTranscriber(parts: OnnxParts): Promise<Required<Pick<Session, 'transcribe'>>> {
  const { library, folder } = parts;
  const tokenizer = await library.AutoTokenizer.from_pretrained(folder.path, { local_files_only: true });
  const network = await openNetwork(parts);
  const tokens = readTokens(folder, tokenizer);
  const lock = createLock();
  // The tokenizer throws for an empty list, the result of silence.
  const decode = (ids: readonly number[]) =>
    ids.length === 0 ? '' : tokenizer.decode([...ids], { skip_special_tokens: true });
  const encode = (text: string) => tokensOf(tokenizer, text);

  async function* transcribe(
    request: TranscribeRequest,
    signal: AbortSignal,
  ): AsyncGenerator<TranscribeEvent> {
    check(request);
    try {
      const { path, secondsMax } = request;
      const sound = await openSound({ path, rate: RATE, secondsMax, signal });
      yield { type: 'sound', seconds: sound.seconds };
      yield* listen(sound.blocks(), { request, signal, language: request.language, earlier: [] });
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  function check({ language, task, words }: TranscribeRequest): void {
    const known = tokens.languages.size === 0 ? ['en'] : [...tokens.languages.keys()];
    if (language !== undefined && !known.includes(language)) {
      const message = `The model does not support the language "${language}". It supports ${known.join(', ')}.`;
      throw new Failure('invalid_value', message, { param: 'language' });
    }
    if (task === 'translate' && tokens.tasks['translate'] === undefined) {
      throw new Failure('model_capability_mismatch', 'This model transcribes, but does not translate.', {
        param: 'model',
      });
    }
    if (words && !network.showsAttention) {
      throw new Failure(
        'unsupported_parameter',
        'This model has no word timestamps: its ONNX files lack the outputs "cross_attentions". Import one that has them, ' +
          'such as onnx-community/whisper-base_timestamped, or ask for segments.',
        { param: 'timestamp_granularities[]' },
      );
    }
  }

  async function* listen(
    blocks: AsyncGenerator<Float32Array>,
    running: Running,
  ): AsyncGenerator<TranscribeEvent> {
    let isLanguageGiven = false;
    const windows = createWindows(blocks, { rate: RATE, samplesMax: WINDOW_SECONDS * RATE });
    try {
      for (let window = await windows.next(); window; window = await windows.next()) {
        const current = window;
        const { segments, samples } = await lock.run(() => transcribeWindow(current, running));
        if (!isLanguageGiven && running.language !== undefined)
          yield { type: 'language', language: running.language };
        isLanguageGiven = true;
        for (const segment of segments) yield { type: 'segment', segment };
        windows.advance(samples);
        yield { type: 'progress', seconds: windows.position() / RATE };
      }
      yield { type: 'end', seconds: windows.position() / RATE };
    } finally {
      await blocks.return(undefined);
    }
  }

  async function transcribeWindow({ samples, start }: SoundWindow, running: Running) {
    const { request, signal } = running;
    signal.throwIfAborted();
    const listening = await network.encode(samples);
    running.language ??=
      tokens.languages.size === 0 ? 'en' : await detectLanguage(network, listening, tokens);
    const decoded = await decodeWindow(listening, {
      network,
      tokens,
      decode,
      prompt: promptFor(running),
      temperature: request.temperature,
      keepAttentions: request.words,
      signal,
    });
    const seconds = samples.length / RATE;
    const segments = isSilence(decoded) ? [] : toSegments(decoded, { start: start / RATE, seconds, running });
    remember(running, decoded, segments);
    const done = Math.round(decodedSeconds(decoded.tokens, tokens, seconds) * RATE);
    return { segments, samples: Math.max(1, done) };
  }

  /** The previous text, then the task. */
  function promptFor({ request, earlier, language = 'en' }: Running): number[] {
    const given = request.prompt === undefined ? [] : encode(` ${request.prompt.trim()}`);
    const before = [...given, ...earlier].slice(-EARLIER_TOKENS_MAX);
    const isReported = before.length > 0 && tokens.earlier !== undefined;
    const languageToken = tokens.languages.get(language);
    const task = languageToken === undefined ? undefined : tokens.tasks[request.task];
    return [
      ...(isReported ? [tokens.earlier as number, ...before] : []),
      tokens.start,
      ...[languageToken, task].filter((token) => token !== undefined),
    ];
  }

  function toSegments(decoded: DecodedWindow, { start, seconds, running }: Position): Segment[] {
    return toSpokenSpans(decoded.tokens, tokens, seconds).map((stretch) => {
      const attentions = decoded.attentions.slice(stretch.from, stretch.from + stretch.tokens.length);
      const times = { start: start + stretch.start, end: start + stretch.end };
      const text = decode(stretch.tokens);
      const { temperature, averageLogprob, compressionRatio, noSpeechProbability } = decoded;
      const sure = { temperature, averageLogprob, compressionRatio, noSpeechProbability };
      if (!running.request.words) return { ...times, text, tokens: stretch.tokens, ...sure };
      const timed = timeWords({
        ...{ tokens: stretch.tokens, attentions, decode, start: stretch.start, end: stretch.end },
        ...{ heads: tokens.alignmentHeads, language: running.language ?? 'en' },
      });
      const words = timed.map((word) => ({ ...word, start: start + word.start, end: start + word.end }));
      return { ...times, text, tokens: stretch.tokens, ...sure, words };
    });
  }

  function remember(running: Running, decoded: DecodedWindow, segments: readonly Segment[]): void {
    const latest = segments.flatMap((segment) => segment.tokens);
    if (decoded.temperature > TRUSTED_TEMPERATURE) running.earlier = [];
    else running.earlier = [...running.earlier, ...latest].slice(-EARLIER_TOKENS_MAX);
  }

  return { transcribe };
}

type Position = { start: number; seconds: number; running: Running };
