import {
  createAudioTranslation,
  createSpeech,
  createTranscription,
  type SpeechRequest,
} from '../../../src/api/tasks/audio.ts';
import type { Form } from '../../../src/base/form.ts';
import type { Http } from '../../../src/api/http/http.ts';

/** The client's methods for audio. */
export function soundCalls({ stream, bytes }: Http, slow: { silenceMsMax: number }) {
  return {
    transcriptEvents: (form: Form, translates: boolean) =>
      stream(translates ? createAudioTranslation : createTranscription, { form, ...slow }),
    speech: (body: SpeechRequest) => bytes(createSpeech, { body, ...slow }),
  };
}
