import { formatCue, formatSubtitles, SUBTITLE_HEADS } from '../audio/subtitles.ts';
import type { Segment, TranscribeEvent } from '../runtime/engine.ts';

type Format = 'json' | 'text' | 'srt' | 'vtt' | 'verbose_json';
type Granularity = 'word' | 'segment';
type Options = { format: Format; task: 'transcribe' | 'translate'; granularities: readonly Granularity[] };

const inEnglish = new Intl.DisplayNames('en', { type: 'language' });
/** Whisper's feature frames, in which the seek position of a segment is counted. */
const FRAMES_PER_SECOND = 100;

/** Writes a transcript in one of the contract's formats, segment by segment and finally as a whole. */
export function createTranscript({ format, task, granularities }: Options) {
  const segments: Segment[] = [];
  let language = 'en';
  let total = 0;

  function* take(event: TranscribeEvent) {
    if (event.type === 'sound') total = event.seconds;
    if (event.type === 'language') language = event.language;
    if (event.type === 'segment') yield* add(event.segment);
    if (event.type === 'progress') yield progress(event.seconds);
    if (event.type === 'end') yield done(event.seconds);
  }

  function* add(segment: Segment) {
    const index = segments.push(segment) - 1;
    if (format === 'verbose_json') {
      const { start, end, text } = segment;
      yield { type: 'transcript.text.segment' as const, id: index, start, end, text };
    } else yield { type: 'transcript.text.delta' as const, delta: deltaOf(segment, index) };
  }

  function deltaOf(segment: Segment, index: number): string {
    if (format !== 'srt' && format !== 'vtt') return index === 0 ? segment.text.trimStart() : segment.text;
    return (index === 0 ? SUBTITLE_HEADS[format] : '') + formatCue(segment, index, format);
  }

  const progress = (seconds: number) => ({
    ...{ type: 'transcript.progress' as const, seconds, total: Math.max(total, seconds) },
  });

  function done(seconds: number) {
    const usage = { type: 'duration' as const, seconds };
    const finished = { type: 'transcript.text.done' as const, text: whole(), usage };
    return format === 'verbose_json' ? { ...finished, transcription: verbose(seconds) } : finished;
  }

  function whole(): string {
    if (format === 'srt' || format === 'vtt') return formatSubtitles(segments, format);
    const text = segments
      .map((segment) => segment.text)
      .join('')
      .trim();
    return format === 'text' ? `${text}\n` : text;
  }

  function verbose(duration: number) {
    const name = inEnglish.of(task === 'translate' ? 'en' : language) ?? language;
    return {
      ...{ task, language: name.toLowerCase(), duration, text: whole() },
      ...(granularities.includes('segment') && { segments: segments.map(toWire) }),
      ...(granularities.includes('word') && { words: segments.flatMap(({ words = [] }) => words) }),
      usage: { type: 'duration' as const, seconds: duration },
    };
  }

  return { take };
}

function toWire(segment: Segment, id: number) {
  return {
    ...{ id, seek: Math.round(segment.start * FRAMES_PER_SECOND) },
    ...{ start: segment.start, end: segment.end, text: segment.text, tokens: segment.tokens },
    temperature: segment.temperature,
    avg_logprob: segment.averageLogprob,
    compression_ratio: segment.compressionRatio,
    no_speech_prob: segment.noSpeechProbability,
  };
}
