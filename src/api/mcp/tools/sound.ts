import { createSpeech, createTranscription, type SpeechRequest } from '../../tasks/audio.ts';
import type { SpeechFormat } from '../../tasks/audio-formats.ts';
import { Failure } from '../../../base/errors.ts';
import { inputOf, LOOKS_ONLY, SLOW, textResult, type Tool, type ToolCall, type ToolInput } from '../tool.ts';
import { absolutePath, readable, SAVE_AS, saveNew } from './files.ts';

const LISTENER = 'svc-whisper-v1';
const SPEAKER = 'svc-tts-v1';

const AUDIO_PATH = {
  type: 'string',
  description: 'The absolute path of the audio file: mp3, mp4, m4a, wav, webm, flac or ogg.',
};
const AUDIO_BYTES = {
  type: 'string',
  minLength: 1,
  description: 'The audio file in base64, up to 14 MiB: mp3, mp4, m4a, wav, webm, flac or ogg.',
};

export const transcribe: Tool = {
  name: 'transcribe',
  title: 'Transcribe audio',
  description:
    'Writes down what is said in an audio file: as plain text, as subtitles, or with the time of each segment.',
  access: createTranscription.access,
  annotations: LOOKS_ONLY,
  input: ({ withUpload }) =>
    inputOf(
      createTranscription.body,
      ['model', 'language', 'prompt', 'response_format'],
      {
        ...(withUpload ? { audio: AUDIO_BYTES } : { path: AUDIO_PATH }),
        model: { default: LISTENER, description: `The model; ${LISTENER} by default.` },
        response_format: { enum: ['text', 'srt', 'vtt', 'verbose_json'], default: 'text' },
      },
      [withUpload ? 'audio' : 'path'],
    ),
  async run({ path, audio, model = LISTENER, response_format: format = 'text', ...options }, call) {
    const fields = { ...options, model, response_format: format } as Record<string, string>;
    const work = (file: string) => listen(file, fields, call);
    const text = call.withUpload
      ? await call.withUpload(toBytes(audio), work)
      : await work(await readable(absolutePath(path, 'path')));
    if (format !== 'verbose_json') return textResult(text.trimEnd());
    return textResult(text, JSON.parse(text) as Record<string, unknown>);
  },
};

async function listen(
  file: string,
  fields: Record<string, string>,
  { http, signal }: ToolCall,
): Promise<string> {
  return (
    await read(http.bytes(createTranscription, { form: { file, fields }, signal, ...SLOW }))
  ).toString();
}

export const speak: Tool = {
  name: 'speak',
  title: 'Read a text aloud',
  description: 'Turns a text into speech and returns the sound.',
  access: createSpeech.access,
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  input: ({ withUpload }) =>
    inputOf(
      createSpeech.body,
      ['input', 'model', 'voice', 'response_format', 'speed'],
      {
        input: { description: 'The text.' },
        model: { default: SPEAKER, description: `The model; ${SPEAKER} by default.` },
        response_format: {
          enum: ['mp3', 'wav', 'flac', 'opus', 'aac'],
          description: 'The format of the sound.',
        },
        ...(!withUpload && { save_as: SAVE_AS }),
      },
      ['input'],
    ),
  async run({ save_as: place, ...input }, { http, signal }: ToolCall) {
    const path = place === undefined ? undefined : absolutePath(place, 'save_as');
    const body = { model: SPEAKER, ...input } as SpeechRequest;
    const sound = await read(http.bytes(createSpeech, { body, signal, ...SLOW }));
    if (path !== undefined) {
      await saveNew(path, sound);
      return textResult(`Saved ${sound.length} bytes as ${path}`);
    }
    const mimeType = TYPES[body.response_format ?? 'mp3'];
    return { content: [{ type: 'audio', data: sound.toString('base64'), mimeType }] };
  },
};

const TYPES: Readonly<Record<SpeechFormat, string>> = {
  mp3: 'audio/mpeg',
  opus: 'audio/ogg',
  aac: 'audio/aac',
  flac: 'audio/flac',
  wav: 'audio/wav',
  pcm: 'audio/pcm',
};

const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

function toBytes(audio: ToolInput[string]): Buffer {
  if (typeof audio === 'string' && BASE64.test(audio)) return Buffer.from(audio, 'base64');
  throw new Failure('invalid_value', '"audio" must be the bytes of an audio file in base64.', {
    param: 'audio',
  });
}

async function read(parts: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const part of parts) all.push(part);
  return Buffer.concat(all);
}
