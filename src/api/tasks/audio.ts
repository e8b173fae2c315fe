import { Type, type Static } from '../schema.ts';
import { SPEECH_CHARACTERS_MAX, SPEECH_FORMATS, TRANSCRIPT_FORMATS, VOICES } from './audio-formats.ts';
import { endpoint } from '../endpoint.ts';
import { speechPolicy, transcriptionPolicy } from '../parameters/audio.ts';

/** An uploaded file of the form, on disk during the request. */
export const UploadedFile = Type.Object(
  { path: Type.String(), name: Type.String(), bytes: Type.Integer() },
  { description: 'mp3, mp4, mpeg, mpga, m4a, wav, webm, flac or ogg, detected from the content.' },
);
export type UploadedFile = Static<typeof UploadedFile>;

const common = {
  file: UploadedFile,
  model: Type.String({ minLength: 1 }),
  prompt: Type.Optional(
    Type.String({ maxLength: 8192, description: 'The preceding text, or the spelling of names.' }),
  ),
  response_format: Type.Optional(Type.Enum(TRANSCRIPT_FORMATS, { default: 'json' })),
  temperature: Type.Optional(Type.Number({ minimum: 0, maximum: 1, default: 0 })),
  stream: Type.Optional(
    Type.Boolean({ default: false, description: 'Server-sent events: each segment as it is transcribed.' }),
  ),
};

export const TranscriptionRequest = Type.Object(
  {
    ...common,
    language: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'A code or a name; detected when absent.' }),
    ),
    timestamp_granularities: Type.Optional(
      Type.Array(Type.Enum(['word', 'segment']), {
        uniqueItems: true,
        description: 'For verbose_json. Word timestamps need a model that exports its cross-attentions.',
      }),
    ),
  },
  { $id: 'TranscriptionRequest', additionalProperties: false },
);
export type TranscriptionRequest = Static<typeof TranscriptionRequest>;

export const AudioTranslationRequest = Type.Object(common, {
  $id: 'AudioTranslationRequest',
  additionalProperties: false,
});

export const TranscriptSegment = Type.Object({
  id: Type.Integer(),
  seek: Type.Integer(),
  start: Type.Number(),
  end: Type.Number(),
  text: Type.String(),
  tokens: Type.Array(Type.Integer()),
  temperature: Type.Number(),
  avg_logprob: Type.Number(),
  compression_ratio: Type.Number(),
  no_speech_prob: Type.Number(),
});
export type TranscriptSegment = Static<typeof TranscriptSegment>;

const Usage = Type.Object({ type: Type.Literal('duration'), seconds: Type.Number() });

export const Transcription = Type.Object({ text: Type.String(), usage: Usage }, { $id: 'Transcription' });
export type Transcription = Static<typeof Transcription>;

export const VerboseTranscription = Type.Object(
  {
    task: Type.Enum(['transcribe', 'translate']),
    language: Type.String({ description: 'Its English name, in lower case.' }),
    duration: Type.Number(),
    text: Type.String(),
    segments: Type.Optional(Type.Array(TranscriptSegment)),
    words: Type.Optional(
      Type.Array(Type.Object({ word: Type.String(), start: Type.Number(), end: Type.Number() })),
    ),
    usage: Usage,
  },
  { $id: 'VerboseTranscription' },
);
export type VerboseTranscription = Static<typeof VerboseTranscription>;

/** Deltas have the requested format: for subtitles, each is a cue. */
export const TranscriptEvent = Type.Union(
  [
    Type.Object({ type: Type.Literal('transcript.text.delta'), delta: Type.String() }),
    Type.Object({
      type: Type.Literal('transcript.text.segment'),
      id: Type.Integer(),
      start: Type.Number(),
      end: Type.Number(),
      text: Type.String(),
    }),
    Type.Object({ type: Type.Literal('transcript.progress'), seconds: Type.Number(), total: Type.Number() }),
    Type.Object({
      type: Type.Literal('transcript.text.done'),
      text: Type.String(),
      usage: Usage,
      transcription: Type.Optional(VerboseTranscription),
    }),
  ],
  { $id: 'TranscriptEvent' },
);
export type TranscriptEvent = Static<typeof TranscriptEvent>;

const answer = {
  method: 'POST',
  tag: 'Audio',
  access: 'chat',
  isForm: true,
  policy: transcriptionPolicy,
  response: Type.Union([Transcription, VerboseTranscription, Type.String()]),
  event: TranscriptEvent,
} as const;

export const createTranscription = endpoint({
  ...answer,
  path: '/v1/audio/transcriptions',
  summary: 'Transcribe an audio file',
  body: TranscriptionRequest,
});

export const createAudioTranslation = endpoint({
  ...answer,
  path: '/v1/audio/translations',
  summary: 'Translate an audio file into English text',
  body: AudioTranslationRequest,
});

export const SpeechRequest = Type.Object(
  {
    model: Type.String({ minLength: 1 }),
    input: Type.String({ minLength: 1, maxLength: SPEECH_CHARACTERS_MAX }),
    voice: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        default: 'alloy',
        description: `${VOICES.join(', ')}, or another voice of the model.`,
      }),
    ),
    response_format: Type.Optional(Type.Enum(SPEECH_FORMATS, { default: 'mp3' })),
    speed: Type.Optional(Type.Number({ minimum: 0.25, maximum: 4, default: 1 })),
    stream_format: Type.Optional(
      Type.Enum(['audio', 'sse'], { default: 'audio', description: 'Raw audio, or server-sent events.' }),
    ),
  },
  { $id: 'SpeechRequest', additionalProperties: false },
);
export type SpeechRequest = Static<typeof SpeechRequest>;

export const SpeechEvent = Type.Union(
  [
    Type.Object({ type: Type.Literal('speech.audio.delta'), audio: Type.String({ description: 'Base64.' }) }),
    Type.Object({
      type: Type.Literal('speech.audio.done'),
      usage: Type.Object({ type: Type.Literal('characters'), characters: Type.Integer() }),
    }),
  ],
  { $id: 'SpeechEvent' },
);
export type SpeechEvent = Static<typeof SpeechEvent>;

export const createSpeech = endpoint({
  method: 'POST',
  path: '/v1/audio/speech',
  summary: 'Turn text into speech; audio is streamed while later sentences are still being generated',
  tag: 'Audio',
  access: 'chat',
  body: SpeechRequest,
  policy: speechPolicy,
  response: Type.String(),
  produces: ['audio/mpeg', 'audio/ogg', 'audio/aac', 'audio/flac', 'audio/wav', 'audio/pcm'],
  event: SpeechEvent,
});
