import { numberOf } from '../form/texts.ts';
import type { Sound } from '../form/sound.ts';

export type Fields = {
  model: string;
  task: 'transcribe' | 'translate';
  language: string;
  prompt: string;
  temperature: string;
  words: boolean;
};

export const EMPTY: Fields = {
  ...{ model: 'svc-whisper-v1', task: 'transcribe', language: '', prompt: '', temperature: '', words: false },
};

export function pathOf({ task }: Fields): string {
  return task === 'translate' ? '/v1/audio/translations' : '/v1/audio/transcriptions';
}

/** Everything except the file and the stream. Translations into English have neither a language nor word timestamps. */
export function toBody({ model, task, language, prompt, temperature, words }: Fields) {
  const isTranscribed = task === 'transcribe';
  return {
    model,
    language: isTranscribed && language.trim() !== '' ? language.trim() : undefined,
    prompt: prompt === '' ? undefined : prompt,
    temperature: numberOf(temperature),
    response_format: 'verbose_json',
    timestamp_granularities: isTranscribed && words ? ['word', 'segment'] : undefined,
  };
}

export function toForm(fields: Fields, { blob, name }: Pick<Sound, 'blob' | 'name'>): FormData {
  const form = new FormData();
  form.set('file', blob, name);
  form.set('stream', 'true');
  for (const [field, value] of Object.entries(toBody(fields))) {
    if (value === undefined) continue;
    if (Array.isArray(value)) for (const each of value) form.append(`${field}[]`, each);
    else form.set(field, String(value));
  }
  return form;
}
