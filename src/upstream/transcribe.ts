import { findContainer, HEAD_BYTES, type Container } from '../audio/containers.ts';
import { withFile } from '../audio/file-bytes.ts';
import { declaredSeconds, tooLong } from '../audio/length.ts';
import { Failure } from '../base/errors.ts';
import type { Form } from '../base/form.ts';
import type { Segment, TimedWord, TranscribeEvent, TranscribeRequest } from '../runtime/engine.ts';
import { answerTo } from './answer.ts';
import { formBody, type Send } from './send.ts';
import { languageCode } from './language-code.ts';

/** For the credits held for a file without a declared duration: fewer bytes per second than any encoder produces. */
const BYTES_PER_SECOND = 1000;

/** Servers recognise a file by its extension. */
const ENDINGS: Readonly<Record<Container, string>> = {
  ...{ wav: 'wav', mp3: 'mp3', flac: 'flac', mp4: 'mp4', webm: 'webm', aac: 'aac', mpeg: 'mpeg' },
  ...{ 'ogg-opus': 'ogg', 'ogg-vorbis': 'ogg', 'ogg-flac': 'ogg' },
};

type WireSegment = {
  start?: number;
  end?: number;
  text?: string;
  tokens?: number[];
  temperature?: number;
  avg_logprob?: number;
  compression_ratio?: number;
  no_speech_prob?: number;
};

type Transcription = {
  text?: unknown;
  language?: string;
  duration?: number;
  segments?: WireSegment[] | null;
  words?: TimedWord[] | null;
  usage?: { seconds?: number } | null;
};

/** Transcribes on another server. The request is for the whole transcript with segments, which all of them support. */
export function createTranscribe(send: Send, model: string) {
  return async function* transcribe(
    request: TranscribeRequest,
    signal: AbortSignal,
  ): AsyncGenerator<TranscribeEvent> {
    const { container, seconds } = await lengthOf(request);
    yield { type: 'sound', seconds };
    const path = request.task === 'translate' ? '/audio/translations' : '/audio/transcriptions';
    const answer = await answerTo(send, { path, body: formBody(toForm(model, request, container)), signal });
    if (answer === undefined) return;
    yield* report(answer as Transcription, request, seconds);
  };
}

async function lengthOf({ path, secondsMax }: TranscribeRequest) {
  return withFile(path, async (file) => {
    const container = findContainer(await file.read(0, HEAD_BYTES));
    const declared = await declaredSeconds(file, container);
    if ((declared ?? 0) > secondsMax) throw tooLong(secondsMax, declared);
    return { container, seconds: declared ?? Math.min(secondsMax, file.size / BYTES_PER_SECOND) };
  });
}

function toForm(model: string, request: TranscribeRequest, container: Container): Form {
  const { path, task, language, prompt, temperature, words } = request;
  return {
    file: path,
    name: `sound.${ENDINGS[container]}`,
    fields: {
      ...{ model, response_format: 'verbose_json', temperature: String(temperature) },
      ...(prompt !== undefined && { prompt }),
      ...(task === 'transcribe' && {
        ...(language !== undefined && { language }),
        'timestamp_granularities[]': words ? ['word', 'segment'] : ['segment'],
      }),
    },
  };
}

function* report(
  { text, language, duration, segments, words, usage }: Transcription,
  request: TranscribeRequest,
  declared: number,
): Generator<TranscribeEvent> {
  if (typeof text !== 'string') throw unreadable('has no text');
  if (request.words && !words) throw noWords();
  const seconds = [usage?.seconds, duration, declared].find((each) => isTime(each)) ?? declared;
  const code = languageCode(language) ?? request.language;
  if (code !== undefined) yield { type: 'language', language: code };
  const whole = text.trim() === '' ? [] : [{ start: 0, end: seconds, text }];
  const parts = (segments ?? whole).map(toSegment);
  const timed = request.words && words ? withWords(parts, words) : parts;
  for (const segment of timed) yield { type: 'segment', segment };
  yield { type: 'end', seconds };
}

function toSegment(segment: WireSegment): Segment {
  const { start, end, text } = segment;
  if (!isTime(start) || !isTime(end) || typeof text !== 'string')
    throw unreadable('has a segment without times');
  return {
    ...{ start, end, text, tokens: segment.tokens ?? [], temperature: segment.temperature ?? 0 },
    averageLogprob: segment.avg_logprob ?? 0,
    compressionRatio: segment.compression_ratio ?? 1,
    noSpeechProbability: segment.no_speech_prob ?? 0,
  };
}

/** Assigns each word to the last segment that starts no later than the word. */
function withWords(segments: readonly Segment[], words: readonly TimedWord[]): Segment[] {
  const placeOf = ({ start }: TimedWord) =>
    Math.max(
      0,
      segments.findLastIndex((each) => each.start <= start),
    );
  return segments.map((segment, index) => ({
    ...segment,
    words: words.filter((word) => placeOf(word) === index),
  }));
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function noWords(): Failure {
  return new Failure(
    'unsupported_parameter',
    'The upstream server returns no word timestamps. Request segments.',
    { param: 'timestamp_granularities[]' },
  );
}

function unreadable(reason: string): Failure {
  return new Failure('upstream_failed', `The response of the upstream server ${reason}.`);
}
