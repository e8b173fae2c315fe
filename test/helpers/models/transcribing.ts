import { openDaemonWith } from '../daemon/chat.ts';
import { scriptedModel } from './models.ts';
import { spoken, toneTranscriber, wavOf } from './sounds.ts';

export type ListeningDaemon = Awaited<ReturnType<typeof openListeningDaemon>>;

/** A daemon with a model that transcribes tones, one that also times words, and one that can do neither. */
export async function openListeningDaemon(env: Record<string, string> = {}) {
  const daemon = await openDaemonWith(
    {
      listener: await toneTranscriber({ language: 'fr' }),
      timer: await toneTranscriber({ showsAttention: true }),
      talker: await scriptedModel('Any answer.'),
    },
    env,
  );
  const hello = wavOf(spoken('hello world'));

  function upload(fields: Record<string, string | string[]> = {}, file: Buffer = hello, name = 'speech.wav') {
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(file)]), name);
    for (const [field, value] of Object.entries({ model: 'svc-whisper-v1', ...fields })) {
      for (const each of [value].flat()) form.append(field, each);
    }
    return form;
  }

  const post = (body: FormData, headers: Record<string, string> = {}) =>
    fetch(`${daemon.baseURL}/audio/transcriptions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${daemon.key}`, ...headers },
      body,
    });

  daemon.services.library.bind('svc-whisper-v1', 'listener');
  daemon.services.library.bind('svc-stt-v1', 'listener');
  return { ...daemon, hello, upload, post };
}

export async function refusalOf(reply: Response) {
  const { error } = (await reply.json()) as {
    error: { message: string; code: string; param: string | null };
  };
  return { status: reply.status, ...error };
}
